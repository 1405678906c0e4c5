import { existsSync, readFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

/**
 * The versions of an installed program. Each lies in a folder of its own, so that a new one is complete before it is
 * named here, and the previous one stays until the new one has proven itself.
 */
const installedState = z.object({
  current: z.string(),
  /** The version before, to which a fault of the current one leads back by hand. */
  previous: z.string().nullable().default(null),
  /** A version that has not proven itself yet, and how often it was started. */
  trial: z.object({ version: z.string(), starts: z.int() }).nullable().default(null),
  /** Versions that did not become healthy: they are not installed again. */
  failed: z.array(z.string()).max(1000).default([]),
});
export type InstalledState = z.output<typeof installedState>;

/** The exit code of a program that has installed a new version, and asks to be started again. */
export const restartCode = 75;
/** The message by which a started program says that its ports are open. */
export const healthyMessage = "healthy";
/** Set by the supervisor: the folder of the installation. */
export const homeVariable = "GATEWAY_HOME";

export class Installation {
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }
  at(...parts: string[]): string {
    return path.join(this.root, ...parts);
  }
  versionFolder(version: string): string {
    return this.at("versions", version);
  }
  /** The script of a version. Its place below the version's folder is that of its sources: texts are found from there. */
  program(version: string): string {
    return path.join(this.versionFolder(version), ...programPath);
  }
  /** The Node of a version, or else that of the installation. */
  runtime(version: string): string {
    const name = process.platform === "win32" ? "node.exe" : "node";
    const own = path.join(this.versionFolder(version), name);
    if (existsSync(own)) return own;
    return existsSync(this.at(name)) ? this.at(name) : process.execPath;
  }

  /** @throws if the file is missing or damaged: then the installation is to be unpacked again */
  readState(): InstalledState {
    return installedState.parse(JSON.parse(readFileSync(this.at("state.json"), "utf8")));
  }
  /** Replaces the state as a whole; resolves when it would survive a power failure. */
  async writeState(state: InstalledState): Promise<void> {
    const temporary = this.at("state.json~");
    const file = await open(temporary, "w");
    try {
      await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.at("state.json"));
  }

  /** The public keys whose packages this installation trusts, `name=base64` each; fixed when it was packaged. */
  readUpdateKeys(): string[] {
    const file = this.at("update-keys.txt");
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, "utf8").split(/\r?\n/);
    return lines.map((line) => line.trim()).filter((line) => /^[^=#\s]{1,100}=[A-Za-z0-9+/]{43}=$/.test(line));
  }
  /** The settings of the installation, one `NAME=value` a line. */
  readSettings(): Record<string, string> {
    const file = this.at("gateway.env");
    return existsSync(file) ? parseSettings(readFileSync(file, "utf8")) : {};
  }
}

export const programPath = ["apps", "server", "src", "gateway", "program", "main.mjs"] as const;

/** Reads lines as they are: a Windows path keeps its backslashes. Lines that begin with # are comments. */
export function parseSettings(text: string): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const line of text.replace(/^\uFEFF/, "").split(/\r?\n/)) {
    const at = line.indexOf("=");
    const name = line.slice(0, at).trim();
    if (at > 0 && /^[A-Z][A-Z0-9_]*$/.test(name)) settings[name] = line.slice(at + 1).trim();
  }
  return settings;
}
