import { describe, expect, it } from "vitest";
import { readXml, type XmlElement } from "@arcada/exchange/xml/read-xml";
import { planInstallation, planRemoval, type ServicePlatform, type ServiceSetup } from "./service-definitions.ts";

const linux: ServiceSetup = {
  root: "/opt/arcada gateway",
  runtime: "/opt/arcada gateway/node",
  script: "/opt/arcada gateway/arcada-gateway.mjs",
  user: "arcada",
  writable: ["/srv/100% cases"],
};
const windows: ServiceSetup = {
  root: "C:\\Program Files\\Arcada & Sons",
  runtime: "C:\\Program Files\\Arcada & Sons\\node.exe",
  script: "C:\\Program Files\\Arcada & Sons\\arcada-gateway.mjs",
  user: null,
  writable: [],
};
const fileOf = (platform: ServicePlatform, setup: ServiceSetup) => {
  const [file] = planInstallation(platform, setup).files;
  if (!file) throw new Error("no file");
  return file;
};
/** The texts of a document's elements by their names, as another program reads its bytes. */
function readTexts(bytes: Buffer): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  const collect = ({ name, text, children }: XmlElement): void => {
    texts.set(name, [...(texts.get(name) ?? []), text]);
    for (const child of children) collect(child);
  };
  collect(readXml(bytes));
  return texts;
}

describe("the service of an installed gateway", () => {
  it("is a unit of systemd that may write into its folders alone, whatever their names", () => {
    const { path, text } = fileOf("linux", linux);
    expect(path).toBe("/etc/systemd/system/arcada-gateway.service");
    expect(text).toContain('ExecStart="/opt/arcada gateway/node" "/opt/arcada gateway/arcada-gateway.mjs" "run"\n');
    expect(text).toContain("User=arcada\nWorkingDirectory=/opt/arcada gateway\n");
    expect(text).toContain('ReadWritePaths="/opt/arcada gateway" "/srv/100%% cases"\n');
  });

  it("is a task at the start of Windows under an account with few rights, which runs for longer than three days", () => {
    const { path, text, encoding } = fileOf("win32", windows);
    expect([path, encoding]).toEqual(["C:\\Program Files\\Arcada & Sons\\arcada-gateway-task.xml", "utf16le"]);
    const texts = readTexts(Buffer.from(text, encoding));
    const read = (name: string) => texts.get(name)?.join();
    expect([read("UserId"), read("RunLevel"), read("ExecutionTimeLimit")]).toEqual([
      "S-1-5-19",
      "LeastPrivilege",
      "PT0S",
    ]);
    expect(texts.has("BootTrigger")).toBe(true);
    expect([read("Command"), read("Arguments"), read("WorkingDirectory")]).toEqual([
      windows.runtime,
      `"${windows.script}" run`,
      windows.root,
    ]);
  });

  it("is a property list of launchd that keeps the program running", () => {
    const { path, text } = fileOf("darwin", { ...linux, root: "/opt/a & b" });
    expect(path).toBe("/Library/LaunchDaemons/org.arcada.gateway.plist");
    const texts = readTexts(Buffer.from(text.replace(/<!DOCTYPE[^>]*>/, "")));
    expect(texts.get("string")).toEqual(expect.arrayContaining([linux.runtime, linux.script, "run", "/opt/a & b"]));
  });

  it.each(["linux", "darwin", "win32"] as const)("is removed on %s by the same name", (platform) => {
    const name = { linux: "arcada-gateway.service", darwin: "org.arcada.gateway", win32: "Arcada Gateway" }[platform];
    const setup = platform === "win32" ? windows : linux;
    const installs = planInstallation(platform, setup).commands.flat().join(" ");
    expect([installs.includes(name), planRemoval(platform).commands.flat().join(" ").includes(name)]).toEqual([
      true,
      true,
    ]);
  });
});
