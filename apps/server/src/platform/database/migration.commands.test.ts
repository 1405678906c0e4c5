import pg from "pg";
import { beforeEach, describe, expect, it } from "vitest";
import { setupAdminCommands } from "@arcada/testing/setup/admin-commands";

let env: Awaited<ReturnType<typeof setupAdminCommands>>;
beforeEach(async () => {
  env = await setupAdminCommands();
});

describe("admin migrate", () => {
  it("says that nothing is missing, with exit code 0", async () => {
    const { code, lines } = await env.run("migrate --status");
    expect([code, lines.at(-1)]).toEqual([0, expect.stringContaining("Nothing is missing for Arcada")]);
    expect(lines[0]).toMatch(/^MIGRATION +APPLIED$/);
    expect(await env.run("migrate")).toEqual({ code: 0, lines: ["Nothing is to be applied."] });
    expect(await env.listCommands(null)).toEqual([]);
  });

  it("lists what is missing, tries it, applies it, and records that in the audit log", async () => {
    await change("drop table feedback_word, feedback_file, software_feedback");
    await change("delete from migration where name = '0029-feedback.sql'");
    const status = await env.run("migrate --status");
    expect([status.code, status.lines.at(-1)]).toEqual([1, expect.stringContaining("Missing migrations: 1.")]);
    const tried = await env.run("migrate --dry-run");
    expect([tried.code, ...tried.lines]).toEqual([
      1,
      expect.stringMatching(/^0029-feedback\.sql can be applied \(\d+ ms\)$/),
      "Nothing was changed.",
    ]);
    expect((await env.run("migrate --status")).code).toBe(1);
    expect(await env.run("migrate")).toEqual({ code: 0, lines: ["0029-feedback.sql was applied"] });
    expect((await env.run("migrate --status")).code).toBe(0);
    expect(await env.listCommands(null)).toEqual(["admin.migrate"]);
  });

  it("says with exit code 1 that the database is newer than the program", async () => {
    await change("insert into migration (name, sha256) values ('9999-later.sql', '')");
    const { code, lines } = await env.run("migrate --status");
    expect([code, lines.at(-1)]).toEqual([1, expect.stringContaining("The database is newer than this program")]);
  });

  it("refuses both switches at once", async () => {
    await expect((async () => env.run("migrate --status --dry-run"))()).rejects.toThrow(
      "Give either --dry-run or --status.",
    );
  });
});

async function change(sql: string): Promise<void> {
  const client = new pg.Client(env.connection);
  await client.connect();
  await client.query(sql);
  await client.end();
}
