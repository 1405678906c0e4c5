import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import { roleNames, roles } from "@arcada/contract/kernel/roles";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

describe("T-01d: DICOMweb, which is no call", () => {
  it("answers clinics alone, at each of its addresses and with each method", async () => {
    const testServer = await getTestServer();
    const { address, served, database } = testServer.running;
    const paths = [...served].filter((path) => path.startsWith("/dicomweb"));
    expect(paths.length).toBeGreaterThan(15);
    const shut: { name: string; token: string | null; refusal: RefusalName }[] = [
      { name: "nobody", token: null, refusal: "unknownSession" },
      { name: "a made-up token", token: "x".repeat(43), refusal: "unknownSession" },
    ];
    for (const role of roleNames) {
      const { side } = roles[role];
      const person = await testServer.createUser(
        role,
        side === "none" ? null : await testServer.createInstitution(side),
      );
      if (side !== "clinic") shut.push({ name: role, token: person.token, refusal: "notAllowed" });
    }
    const removed = await testServer.createUser("clinicMember", await testServer.createInstitution("clinic"));
    await database.asSystem((db) =>
      sql`update membership set state = 'deleted' where user_id = ${removed.uid}`.execute(db),
    );
    shut.push({ name: "a removed member", token: removed.token, refusal: "signedOutElsewhere" });
    const wrong: string[] = [];
    for (const path of paths)
      for (const method of ["GET", "POST"])
        for (const { name, token, refusal } of shut) {
          if (method === "POST" && !/studies(\/:study)?$/.test(path)) continue;
          const headers = { ...(token && { token }), "content-type": "multipart/related; boundary=a" };
          const body = method === "POST" ? { body: "--a--" } : {};
          const answer = await fetch(`${address}${path.replace(/:\w+/g, "1.2.3")}`, { method, headers, ...body });
          const said = refusalOf((await answer.json()) as { code: number });
          if (said !== refusal) wrong.push(`${method} ${path} as ${name}: ${said}, expected ${refusal}`);
        }
    expect(wrong).toEqual([]);
  }, 60_000);
});
