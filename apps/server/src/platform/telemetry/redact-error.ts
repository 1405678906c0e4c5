/**
 * Returns an error in the form for the log: its origin and the violated rule. The database's detail contains the row's
 * values ("Failing row contains (…)"), and so may its message.
 */
export function redactError(error: Error): { type: string; message: string; stack: string } {
  const { code, severity, table, column, constraint } = error as Error & Partial<Record<string, unknown>>;
  const stack = error.stack ?? "";
  if (severity === undefined) return { type: error.name, message: error.message, stack };
  const at = stack.indexOf("\n    at ");
  const rule = [code, table, column, constraint].filter(Boolean).join(" ");
  return { type: error.name, message: rule, stack: at < 0 ? "" : stack.slice(at + 1) };
}

/** The message of an error for a line of the log: that of a database error names the violated rule and no value. */
export const describeError = (error: unknown): string =>
  error instanceof Error ? redactError(error).message : String(error);
