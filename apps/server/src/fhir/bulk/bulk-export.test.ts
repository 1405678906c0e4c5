import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { validateFhir } from "@arcada/testing/tools/validate-fhir";
import { present } from "@arcada/testing/require-present";
import { setup, type TestSetup } from "@arcada/testing/setup/test-server";
import { createPatient } from "@arcada/testing/fixtures/uploads";
import { newId, newSecret, secretHash } from "../../platform/runtime/ids-and-secrets.ts";
import { files, provideServices } from "../../platform/runtime/services.ts";
import type { FileStore } from "../../platform/storage/file-store.ts";
import { runExport as runExportJob } from "./run-export.ts";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";

let env: TestSetup;
let key: string;
let reading: string;
beforeAll(async () => {
  env = await setup();
  await createPatient(env.clinic);
  await env.clinic.call("patient.create", { name: "Anna Müller", sex: "female", birthDate: "1985-09-08" });
  key = await makeKey("organisation.export");
  reading = await makeKey("patients.read");
});

async function makeKey(scope: KeyScope): Promise<string> {
  const [id, secret] = [newId(), `arcada_${newSecret()}`];
  await env.server.running.database.asSystem(async (db) => {
    await db.insertInto("users").values({ id, nick_name: scope }).execute();
    const token = { begins: secret.slice(0, 12), token_hash: secretHash(secret), scopes: [scope] };
    await db
      .insertInto("api_key")
      .values({ ...token, institution_id: env.clinic.iid, id, name: scope, created_by: env.clinic.uid })
      .execute();
  });
  return secret;
}

const ask = (path: string, { by = key, method = "GET", prefer = "respond-async" } = {}) =>
  fetch(path.startsWith("http") ? path : `${env.server.address}/fhir/${path}`, {
    method,
    headers: { authorization: `Bearer ${by}`, prefer, accept: "application/fhir+json" },
  });

interface Manifest {
  transactionTime: string;
  request: string;
  output: { type: string; url: string; count: number }[];
}
async function runExport(path: string): Promise<{ at: string; manifest: Manifest }> {
  const begun = await ask(path);
  expect(begun.status).toBe(202);
  const at = present(begun.headers.get("content-location"));
  const status = async () => (await ask(at)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe(200);
  return { at, manifest: (await (await ask(at)).json()) as Manifest };
}
const readLines = async (url: string): Promise<{ resourceType: string; id: string }[]> =>
  (await (await ask(url)).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { resourceType: string; id: string });

/** Changes actions of the store until the test ends. */
function withStore(change: (real: FileStore) => Partial<FileStore>): void {
  const real = files();
  provideServices({ files: { ...real, ...change(real) } });
  onTestFinished(() => provideServices({ files: real }));
}

/** Each file of the manifest is there, with as many lines as it says, and no resource is there twice. */
async function expectComplete({ output }: Manifest): Promise<void> {
  expect(output.map(({ type }) => type)).toContain("Patient");
  const seen = new Set<string>();
  for (const { url, count } of output) {
    const lines = await readLines(url);
    expect(lines).toHaveLength(count);
    for (const { resourceType, id } of lines) {
      expect(seen.has(`${resourceType}/${id}`), id).toBe(false);
      seen.add(`${resourceType}/${id}`);
    }
  }
}

describe("a bulk export", () => {
  it("has a file of valid resources for each type that the organisation has", async () => {
    const { at, manifest } = await runExport("$export");
    expect(manifest.request).toContain("/fhir/$export");
    const patients = present(manifest.output.find(({ type }) => type === "Patient"));
    expect(patients.count).toBe(2);
    for (const { url, type, count } of manifest.output) {
      const lines = await readLines(url);
      expect(lines).toHaveLength(count);
      for (const resource of lines) {
        expect(resource.resourceType).toBe(type);
        validateFhir(resource);
      }
    }
    expect((await ask(at, { method: "DELETE" })).status).toBe(202);
    expect((await ask(at)).status).toBe(404);
    expect((await ask(patients.url)).status).toBe(404);
  }, 60_000);

  it("is limited to types and to what changed since an instant", async () => {
    const { manifest } = await runExport("Patient/$export?_type=Patient");
    expect(manifest.output.map(({ type }) => type)).toEqual(["Patient"]);
    await new Promise((resolve) => setTimeout(resolve, 10));
    const since = new Date().toISOString();
    await env.clinic.call("patient.create", { name: "Ida Neu", sex: "female", birthDate: "1990-01-01" });
    const later = await runExport(`Patient/$export?_type=Patient&_since=${since}`);
    expect(later.manifest.output).toMatchObject([{ type: "Patient", count: 1 }]);
  }, 60_000);

  it("is complete though the store loses a file before its row exists", async () => {
    let isLost = false;
    withStore((real) => ({
      put: async (...given) => {
        const stored = await real.put(...given);
        if (!isLost) await real.remove("converted", env.clinic.iid, stored.sha256);
        isLost = true;
        return stored;
      },
    }));
    await expectComplete((await runExport("$export")).manifest);
    expect(isLost).toBe(true);
  }, 60_000);

  it("keeps the files of the run that ended it, though one that stood still goes on", async () => {
    const [isStopped, goOn, hasGoneOn] = [0, 0, 0].map(() => Promise.withResolvers<void>());
    let isFirst = true;
    withStore((real) => ({
      put: async (...given) => {
        if (!isFirst) return real.put(...given);
        isFirst = false;
        isStopped?.resolve();
        await goOn?.promise;
        setTimeout(() => hasGoneOn?.resolve(), 500);
        return real.put(...given);
      },
    }));
    const at = present((await ask("$export")).headers.get("content-location"));
    await isStopped?.promise;
    const key = { iid: env.clinic.iid, id: present(at.split("/").at(-1)) };
    await runExportJob(env.server.running.database, key, new AbortController().signal);
    goOn?.resolve();
    await hasGoneOn?.promise;
    await expectComplete((await (await ask(at)).json()) as Manifest);
  }, 60_000);

  it("is kept three times at most, and goes with a patient who is erased", async () => {
    const person = { name: "Uta Gehend", sex: "female", birthDate: "1979-02-03" } as const;
    const { id, number } = await env.clinic.call("patient.create", person);
    const made: string[] = [];
    for (const type of ["Patient", "Organization", "Practitioner", "Patient,Organization"])
      made.push((await runExport(`$export?_type=${type}`)).at);
    const states = async () => Promise.all(made.map(async (at) => (await ask(at)).status));
    expect(await states()).toEqual([404, 200, 200, 200]);
    const contents = () =>
      env.server.running.database.asSystem((db) =>
        db.selectFrom("taking_file").select("sha256").where("institution_id", "=", env.clinic.iid).execute(),
      );
    expect((await contents()).length).toBeGreaterThan(0);
    await env.clinic.call("patient.erase", { id, number, reason: "the patient asked for it" });
    expect(await states()).toEqual([404, 404, 404, 404]);
    expect(await contents()).toEqual([]);
  }, 90_000);

  it("runs once at a time for an organisation", async () => {
    const [first, second] = [await ask("$export"), await ask("$export")];
    expect([first.status, second.status]).toEqual([202, 409]);
    expect(second.headers.get("retry-after")).toBe("60");
    const at = present(first.headers.get("content-location"));
    expect((await ask(at, { method: "DELETE" })).status).toBe(202);
    expect((await ask("$export?_type=Organization")).status).toBe(202);
  });

  it.each([
    ["$export?_type=Nothing", {}, 400],
    ["Patient/$export?_type=Organization", {}, 400],
    ["$export?_since=yesterday", {}, 400],
    ["$export?_outputFormat=csv", {}, 400],
    ["$export", { prefer: "" }, 400],
    ["$export", { by: "reading" }, 403],
    ["$export", { by: "person" }, 403],
    ["bulk-export/01a2259f-4354-7f15-a5ee-6ca36ccc9f2f", {}, 404],
  ])("is refused as %s with %j", async (path, { by, prefer }: { by?: string; prefer?: string }, status) => {
    const keys: Record<string, string> = { reading, person: env.clinic.token };
    const asked = { ...(by !== undefined && { by: keys[by] ?? "" }), ...(prefer !== undefined && { prefer }) };
    expect((await ask(path, asked)).status).toBe(status);
  });

  it("is not found by another organisation", async () => {
    const begun = await ask("$export?_type=Practitioner");
    const other = await setup();
    const own = env;
    env = other;
    const stranger = await makeKey("organisation.export");
    env = own;
    const at = begun.headers.get("content-location");
    if (at !== null) expect((await ask(at, { by: stranger })).status).toBe(404);
    expect((await ask("bulk-export/not-an-id", { by: stranger })).status).toBe(404);
  });
});
