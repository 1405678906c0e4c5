import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

export interface Chromium {
  executable: string;
  environment: Record<string, string>;
}

/** The browser of the tests: the one that the environment names, else the machine's, else the one that npm brought. */
export async function findChromium(): Promise<Chromium> {
  mkdirSync(build, { recursive: true });
  const installed = [process.env.ARCADA_CHROMIUM, "/usr/bin/chromium"].find((file) => file && existsSync(file));
  const unpacked = await unpack();
  const executable = installed ?? path.join(unpacked, "chromium");
  return { executable, environment: { ...fonts(unpacked), ...libraries(executable, unpacked), HOME: home() } };
}

const root = path.join(import.meta.dirname, "../../../..");
const build = path.join(root, ".build");
const require = createRequire(import.meta.url);
const packageName = "@sparticuz/chromium";

/**
 * Unpacks the package's contents (browser, software WebGL, libraries, Latin fonts) once per version. The package's own
 * method unpacks everything into the machine's temporary folder and trusts any file there, even a partly written one.
 */
async function unpack(): Promise<string> {
  const packed = path.join(path.dirname(require.resolve(packageName)), "../bin");
  const { version } = JSON.parse(readFileSync(path.join(packed, "../package.json"), "utf8")) as { version: string };
  const folder = path.join(build, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  const { inflate } = await import("@sparticuz/chromium");
  const draft = mkdtempSync(`${folder}-`);
  const temporary = process.env.TMPDIR;
  process.env.TMPDIR = draft;
  try {
    for (const name of ["chromium.br", "swiftshader.tar.br", "al2023.tar.br", "fonts.tar.br"])
      await inflate(path.join(packed, name));
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another run may have been faster.
    if (!existsSync(folder)) throw error;
  } finally {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
  }
  return folder;
}

/** The libraries of the package, if the machine has none (a bare Debian has no nss and expat). */
function libraries(executable: string, unpacked: string): Record<string, string> {
  const runs = spawnSync(executable, ["--version"], { stdio: "ignore" }).status === 0;
  return runs ? {} : { LD_LIBRARY_PATH: path.join(unpacked, "al2023/lib") };
}

/**
 * Fonts in a fixed order, so that a screenshot looks the same on every machine and Chinese is drawn on a bare one,
 * too; the machine's own come last, for the scripts that neither package has.
 */
function fonts(unpacked: string): Record<string, string> {
  const chinese = path.join(root, "node_modules/@embedpdf/fonts-sc/fonts");
  const folders = [path.join(unpacked, "fonts"), chinese, "/usr/share/fonts"].filter((folder) => existsSync(folder));
  const families = ["Open Sans", ...(existsSync(chinese) ? ["Noto Sans Hans"] : [])];
  const prefer = (generic: string) =>
    `<alias binding="same"><family>${generic}</family><prefer>${families.map((family) => `<family>${family}</family>`).join("")}</prefer></alias>`;
  const file = path.join(unpacked, "fonts.conf");
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
${folders.map((folder) => `<dir>${folder}</dir>`).join("\n")}
${["sans-serif", "serif", "system-ui"].map(prefer).join("\n")}
<cachedir>${path.join(build, "font-cache")}</cachedir>
</fontconfig>`,
  );
  return { FONTCONFIG_FILE: file };
}

/** True if a font for Chinese characters is available. */
export const hasChineseFont = (): boolean =>
  existsSync(path.join(root, "node_modules/@embedpdf/fonts-sc/fonts")) ||
  globSync("/usr/share/fonts/**/*{CJK,wqy,uming,ukai,DroidSansFallback}*").length > 0;

// Chromium stores settings below HOME, which may be read-only.
function home(): string {
  const folder = path.join(build, "chromium-home");
  mkdirSync(folder, { recursive: true });
  return folder;
}
