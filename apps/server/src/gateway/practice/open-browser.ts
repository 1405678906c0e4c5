import { spawn } from "node:child_process";
import path from "node:path";

export type OpenBrowser = (address: string) => Promise<void>;

/**
 * Opens an address in the browser of the person who works at this machine. No shell is involved, so that no character of
 * the address has a meaning.
 */
export const browserOpener =
  (program: string | undefined): OpenBrowser =>
  (address) =>
    new Promise((resolve, reject) => {
      const [command, ...before] = program === undefined ? defaultOpener() : [program];
      const child = spawn(command, [...before, address], { detached: true, stdio: "ignore", windowsHide: true });
      child.once("error", reject);
      child.once("spawn", () => {
        child.unref();
        resolve();
      });
    });

function defaultOpener(): [string, ...string[]] {
  if (process.platform === "darwin") return ["/usr/bin/open"];
  if (process.platform !== "win32") return ["xdg-open"];
  const system = path.win32.join(process.env.SystemRoot ?? String.raw`C:\Windows`, "System32", "rundll32.exe");
  return [system, "url.dll,FileProtocolHandler"];
}
