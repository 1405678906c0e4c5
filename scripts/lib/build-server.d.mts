export const sourceMain: string;
export function buildServer(
  runtime: string,
  options?: {
    dist?: string;
    /** A fingerprint of the sources. */
    readSources?: () => string;
    bundle?: (draft: string) => unknown;
    report?: (line: string) => unknown;
  },
): Promise<string>;
