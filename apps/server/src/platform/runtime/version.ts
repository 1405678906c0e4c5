import { readFileSync } from "node:fs";

const manifest = new URL("../../../../../package.json", import.meta.url);

/** The version of the product. Only the package.json of the root has one; those of the workspaces are not counted. */
export const version = (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version;
