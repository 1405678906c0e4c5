export interface ReleaseState {
  /** The version of the root package.json. */
  version: string;
  changelog: string;
  /** The output of `git status --porcelain`. */
  changes: string;
  /** The commit's tags. */
  tags: readonly string[];
  /** Other places that state the version, such as the manifests of deploy/, by their file. */
  statedIn: Readonly<Record<string, string>>;
}

/** Returns every reason against a release of this commit, one sentence each. */
export function findReleaseFaults({ version, changelog, changes, tags, statedIn }: ReleaseState): string[] {
  const faults: string[] = [];
  if (!/^\d+\.\d+\.\d+(-rc\.\d+)?$/.test(version))
    faults.push(`The version ${version} is not like 1.2.3 or 1.2.3-rc.1.`);
  if (changes.trim() !== "") faults.push("The working tree has changes that are not committed.");
  const date = /^## .*$/m.exec(changelog)?.[0] ?? "";
  const isDated = new RegExp(`^## ${escapePattern(version)} - \\d{4}-\\d{2}-\\d{2}$`).test(date);
  if (!isDated) faults.push(`The first heading of CHANGELOG.md is not "## ${version} - YYYY-MM-DD".`);
  for (const [file, text] of Object.entries(statedIn))
    if (!text.includes(version)) faults.push(`${file} does not state the version ${version}.`);
  if (tags.length > 0 && !tags.includes(`v${version}`))
    faults.push(`The commit has the tag ${tags[0]}, not v${version}.`);
  return faults;
}

const escapePattern = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\-]/g, String.raw`\$&`);
