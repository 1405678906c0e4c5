import { withInnerSpan } from "../telemetry/tracing.ts";

/**
 * A span for a statement within a request or a job. It names the command and the first table, and contains neither the
 * text nor the values.
 */
export function traceStatement<T>(text: string, send: () => Promise<T>): Promise<T> {
  const { command, table } = describeStatement(text);
  const name = table ? `${command} ${table}` : command;
  const attributes = {
    "db.system.name": "postgresql",
    "db.operation.name": command,
    ...(table && { "db.collection.name": table }),
  };
  return withInnerSpan(name, attributes, send);
}

const described = new Map<string, { command: string; table: string | undefined }>();
/** Statements are written in the source, but lists of values have many lengths. */
const maxDescribed = 5000;

const tablePatterns: Record<string, RegExp> = {
  INSERT: /\binto\s+"?([a-z_]{1,63})/i,
  UPDATE: /\bupdate\s+"?([a-z_]{1,63})/i,
  // Functions stand behind the word as well: extract(epoch from now()).
  SELECT: /\bfrom\s+"?([a-z_]{1,63})\b(?!\s*\()/i,
};

function describeStatement(text: string): { command: string; table: string | undefined } {
  const known = described.get(text);
  if (known) return known;
  const plain = text.replace(/^\/\*[^*]*\*\/\s*/, "").slice(0, 2000);
  const command = (/^[a-z]+/i.exec(plain)?.[0] ?? "other").toUpperCase();
  const table = (tablePatterns[command] ?? tablePatterns.SELECT!).exec(plain)?.[1];
  if (described.size >= maxDescribed) described.clear();
  described.set(text, { command, table });
  return { command, table };
}
