import { sql } from "kysely";
import pg from "pg";
import { SMTPServer } from "smtp-server";
import { beforeAll, describe, expect, it } from "vitest";
import { capacityRules } from "@arcada/contract/capacity/capacity.rules";
import { SmsPeer } from "@arcada/testing/peers/sms-peer";
import { setupAdminCommands } from "@arcada/testing/setup/admin-commands";
import { createClinician } from "@arcada/testing/setup/test-database";
import { readAdminCommand } from "./admin-commands.ts";
import { defineQueue, openJobs } from "./platform/jobs/jobs.ts";
import { newId } from "./platform/runtime/ids-and-secrets.ts";
import { provideServices } from "./platform/runtime/services.ts";
import { readAnalysisUsage } from "./domain/analysis-quota.ts";
import { freeBytes, readStorageUsage } from "./platform/upload/storage-quota.ts";
import { formatTable } from "./platform/runtime/admin-command.ts";

let env: Awaited<ReturnType<typeof setupAdminCommands>>;
beforeAll(async () => {
  env = await setupAdminCommands();
});

describe("the commands on jobs", () => {
  it("list a job that was given up, and retry it", async () => {
    const queue = defineQueue<{ n: number }>("commands.test");
    const jobs = await openJobs(env.connection, { onError: () => {} });
    await jobs.work(queue, () => Promise.reject(new Error("no paper")));
    await env.database.asSystem((db) =>
      jobs.send(db, queue, { n: 1 }, { patience: { tries: 0, longestWaitSeconds: 1 } }),
    );
    await expect.poll(async () => (await jobs.failed(5)).length, { timeout: 20_000 }).toBe(1);
    await jobs.stop(1);
    const listed = await env.run("list-jobs --queue commands.test");
    const id = /[0-9a-f-]{36}/.exec(listed.lines.join("\n"))?.[0];
    expect(listed.lines.join("\n")).toMatch(/commands\.test\s+0\s+0\s+1[^]*no paper/);
    expect((await env.run(`retry-job --queue commands.test --id ${id}`)).code).toBe(0);
    expect(await env.listCommands(id ?? null)).toEqual(["admin.retryJob"]);
    const gone = await env.run(`retry-job --queue commands.test --id ${newId()}`);
    expect(gone).toEqual({ code: 1, lines: [expect.stringContaining("has no given-up job")] });
  }, 60_000);
});

describe("check-config", () => {
  it("names what is missing, with exit code 1", async () => {
    const { code, lines } = await env.run("check-config");
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith("missing")).map((line) => line.split(/\s+/)[1])).toEqual([
      "PUBLIC_URL:",
      "https",
      "SMTP_URL:",
      "SECRET_KEY:",
    ]);
  });

  it("ends with 0 when nothing is missing", async () => {
    const settings = { PUBLIC_URL: "https://arcada.test", SMTP_URL: "smtp://localhost", SECRET_KEY: "k".repeat(32) };
    expect((await env.run("check-config", settings)).code).toBe(0);
  });
});

describe("a command on an instance that was off past its last partition of the audit log", () => {
  it("makes the partition that its own record needs", async () => {
    const owner = new pg.Client(env.connection);
    await owner.connect();
    const { rows } = await owner.query<{ drop: string }>(
      "select format('drop table %I', name) as drop from arcada_partitions('audit')",
    );
    for (const { drop } of rows) await owner.query(drop);
    await owner.end();
    await env.run("set-public-url --url https://arcada.test");
    expect(await env.listCommands(null)).toContain("admin.setPublicUrl");
  });
});

describe("send-test-mail", () => {
  it("delivers an email and says so", async () => {
    const recipients: string[] = [];
    const server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      onRcptTo: ({ address }, _session, accept) => {
        recipients.push(address);
        accept(address.startsWith("gone") ? Object.assign(new Error("no such user"), { responseCode: 550 }) : null);
      },
      onData: (stream, _session, accept) => void stream.resume().on("end", () => accept()),
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.server.address() as { port: number };
    const settings = { SMTP_URL: `smtp://127.0.0.1:${port}` };
    const sent = await env.run("send-test-mail --to me@commands.test", settings);
    const refused = await env.run("send-test-mail --to gone@commands.test", settings);
    await new Promise<void>((resolve) => {
      server.close(resolve);
    });
    const away = await env.run("send-test-mail --to me@commands.test", settings);
    expect([sent.code, refused.code, away.code]).toEqual([0, 1, 1]);
    expect(recipients).toEqual(["me@commands.test", "gone@commands.test"]);
    expect(away.lines[0]).toContain("did not accept");
  });

  it("says that no mail server is set", async () => {
    const { code, lines } = await env.run("send-test-mail --to me@commands.test");
    expect([code, lines[0]]).toEqual([1, expect.stringContaining("SMTP_URL is not set")]);
  });
});

describe("send-test-sms", () => {
  it("reports that the provider accepted it, or its answer", async () => {
    const peer = await new SmsPeer().start();
    const settings = { SMS_URL: peer.url };
    const sent = await env.run("send-test-sms --to +8613912345678", settings);
    peer.respond = () => ({ status: 403, body: '{"reason":"no credit"}' });
    const refused = await env.run("send-test-sms --to +8613912345678", settings);
    peer.stop();
    const away = await env.run("send-test-sms --to +8613912345678", settings);
    expect([sent.code, refused.code, away.code]).toEqual([0, 1, 1]);
    expect(peer.messages[0]).toMatchObject({ to: "+8613912345678", text: expect.stringContaining("000000") });
    expect(refused.lines.join()).toMatch(/sms 403.*no credit/);
    expect(away.lines[0]).toContain("ECONNREFUSED");
  });

  it("says that no provider is set, or that the number is none", async () => {
    const { code, lines } = await env.run("send-test-sms --to +8613912345678");
    expect([code, lines[0]]).toEqual([1, expect.stringContaining("SMS_URL is not set")]);
    await expect(env.run("send-test-sms --to 13912345678")).rejects.toThrow("is no phone number");
  });
});

describe("set-quota", () => {
  it("changes storage and analyses of an organisation, each alone", async () => {
    const { iid } = await createClinician(env.database);
    const [{ number } = { number: "" }] = await env.query(
      sql<{ number: string }>`select number from institution where id = ${iid}`,
    );
    const read = () =>
      env.database.as({ system: false, iid, uid: null }, async (db) => ({
        bytes: (await readStorageUsage(db, iid)).allowed,
        analyses: (await readAnalysisUsage(db, iid)).allowed,
      }));
    expect(await read()).toEqual({ bytes: freeBytes, analyses: capacityRules.freeAnalyses });
    await env.run(`set-quota --organisation ${number} --storage 250`);
    expect(await read()).toEqual({ bytes: 250 * 1024 ** 3, analyses: capacityRules.freeAnalyses });
    const { lines } = await env.run(`set-quota --organisation ${number} --analyses 7`);
    expect(await read()).toEqual({ bytes: 250 * 1024 ** 3, analyses: 7 });
    expect(lines).toEqual([`${number} has a base of 250 GB and 7 analyses.`]);
    expect(await env.listCommands(iid)).toEqual(["admin.setQuota", "admin.setQuota"]);
  });

  it("refuses an unknown organisation", async () => {
    await expect(env.run("set-quota --organisation 1 --storage 5")).rejects.toThrow("There is no organisation");
  });
});

describe("wrong arguments", () => {
  it.each([
    ["", "There is no command"],
    ["dance", "There is no command dance. Known: help, check-config"],
    ["reset-password", "--account is missing. Wanted: admin reset-password --account ACCOUNT"],
    ["reset-password --account", "Wanted: admin reset-password"],
    [
      "reset-password --account a@b.test --password secret",
      "Unknown option '--password'. Wanted: admin reset-password",
    ],
    ["check-config now", "Wanted: admin check-config"],
  ])("%j are answered by one sentence", (words, message) => {
    expect(() => readAdminCommand(words.split(" "))).toThrow(message);
    expect(() => readAdminCommand(words.split(" "))).toThrow(expect.objectContaining({ name: "StartError" }));
  });

  it.each([
    ["create-operator --email nobody", "is no email address"],
    ["disable-user --account nobody@commands.test", "There is no account"],
    ["disable-user --account nobody", "neither an email address nor a phone number"],
    ["set-quota --organisation 1", "Give --storage"],
    ["set-quota --organisation 1 --storage -5", "Wanted: admin set-quota"],
    ["set-quota --organisation 1 --storage 1e9", "--storage must be a whole number"],
    ["list-users --limit many", "--limit must be a whole number"],
    ["retry-job --queue letter --id 1", "is no job's id"],
    ["create-operator --email ada@commands.test --password-file /nowhere", "cannot be read: ENOENT"],
  ])("%j are refused by the command", async (words, message) => {
    await expect((async () => env.run(words))()).rejects.toThrow(message);
  });
});

describe("FREE_STORAGE_GB and FREE_ANALYSES", () => {
  it("are the base of an organisation without a quota of its own", async () => {
    const { iid } = await createClinician(env.database);
    provideServices({ freeQuota: { gigabytes: 50, analyses: 3 } });
    const found = await env.database.as({ system: false, iid, uid: null }, async (db) => ({
      bytes: (await readStorageUsage(db, iid)).allowed,
      analyses: (await readAnalysisUsage(db, iid)).allowed,
    }));
    expect(found).toEqual({ bytes: 50 * 1024 ** 3, analyses: 3 });
    const [{ number } = { number: "" }] = await env.query(
      sql<{ number: string }>`select number from institution where id = ${iid}`,
    );
    const settings = { FREE_STORAGE_GB: "50", FREE_ANALYSES: "3" };
    const { lines } = await env.run(`set-quota --organisation ${number} --analyses 9`, settings);
    expect(lines).toEqual([`${number} has a base of 50 GB and 9 analyses.`]);
  });
});

it("shows no control characters of names in the tables of the commands", () => {
  expect(formatTable([["NAME"], ["Ada\u001b[2J\u202eX"]])).toEqual(["NAME", "Ada?[2J?X"]);
});
