/** The tables of one commit on one machine: each section is what one command printed, with the load around it. */
export interface FigureRecord {
  /** The commit, the machine and the versions of the peers: figures of another heading are not kept beside new ones. */
  heading: string;
  /** Tables by the command that printed them. */
  sections: ReadonlyMap<string, string>;
}

/** Puts a section into a record, in the place of the one of the same command. Sections of another heading are dropped. */
export function addSection(before: FigureRecord | null, heading: string, command: string, table: string): FigureRecord {
  const kept = before?.heading === heading ? before.sections : new Map<string, string>();
  return { heading, sections: new Map([...kept, [command, table]]) };
}

/** Markdown, from which `readRecord` reads the same. */
export const formatRecord = ({ heading, sections }: FigureRecord): string =>
  `${[heading.trim(), ...[...sections].map(([command, table]) => `${mark}${command}\n\n${table.trim()}`)].join("\n\n")}\n`;

const mark = "## ";

export function readRecord(text: string): FigureRecord {
  const [heading = "", ...parts] = text.split(`\n\n${mark}`);
  const sections = parts.map((part): [string, string] => {
    const end = part.indexOf("\n");
    return [part.slice(0, end), part.slice(end).trim()];
  });
  return { heading: heading.trim(), sections: new Map(sections) };
}
