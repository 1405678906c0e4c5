import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "../setup/product-process.ts";

export interface FiringAlert {
  state: "pending" | "firing";
  labels: Record<string, string>;
  value: string;
}

/** Debian's Prometheus in a folder of its own, which scrapes each second. */
export class Prometheus {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #port: number;
  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.#port = port;
  }
  /** `targets`: addresses by the name of the job; `rules`: the text of the file of rules. */
  static async start(targets: Record<string, readonly string[]>, rules: string): Promise<Prometheus> {
    const folder = mkdtempSync(path.join(tmpdir(), "arcada-prometheus-"));
    const port = await freePort();
    writeFileSync(path.join(folder, "rules.yml"), rules);
    const jobs = Object.entries(targets).map(([job_name, hosts]) => ({
      job_name,
      static_configs: [{ targets: hosts }],
    }));
    const config = {
      global: { scrape_interval: "1s", scrape_timeout: "1s", evaluation_interval: "1s" },
      rule_files: ["rules.yml"],
      scrape_configs: jobs,
    };
    // JSON is YAML.
    writeFileSync(path.join(folder, "prometheus.yml"), JSON.stringify(config));
    const child = spawn(
      "prometheus",
      [
        `--config.file=${path.join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${path.join(folder, "data")}`,
        `--web.listen-address=127.0.0.1:${port}`,
        "--log.level=error",
      ],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const prometheus = new Prometheus(child, folder, port);
    for (let round = 0; round < 200; round++) {
      if (
        await fetch(`http://127.0.0.1:${port}/-/ready`).then(
          ({ ok }) => ok,
          () => false,
        )
      )
        return prometheus;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await prometheus.stop();
    throw new Error("Prometheus does not start");
  }
  async query(expr: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]> {
    const { result } = await this.#get<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      `query?query=${encodeURIComponent(expr)}`,
    );
    return result;
  }
  async alerts(): Promise<FiringAlert[]> {
    return (await this.#get<{ alerts: FiringAlert[] }>("alerts")).alerts;
  }
  async #get<T>(path: string): Promise<T> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/${path}`);
    const { status, data, error } = (await response.json()) as { status: string; data: T; error?: string };
    if (status !== "success") throw new Error(`${decodeURIComponent(path)}: ${error}`);
    return data;
  }
  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGTERM");
    await ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
