import { describe, expect, it } from "vitest";
import { createClinician, createTestDatabase } from "@arcada/testing/setup/test-database";
import type { MemberContext } from "../platform/http/request-context.ts";
import { freeBytes } from "../platform/upload/storage-quota.ts";
import { toGigabytes, toPercent } from "./round-storage-usage.ts";
import { capacityRoutes } from "./capacity.routes.ts";
import { present } from "@arcada/testing/require-present";

const answerTo = (path: string) => present(capacityRoutes.find((route) => route.call.path === path)).handler;

describe("the storage used", () => {
  it("is counted by content, for the principal's own organisation only", async () => {
    const { database } = await createTestDatabase();
    const [who, other] = [await createClinician(database), await createClinician(database)];
    await database.asSystem((db) =>
      db
        .insertInto("stored_file")
        .values([
          { institution_id: who.iid, sha256: "a".repeat(64), bytes: freeBytes / 4 },
          { institution_id: who.iid, sha256: "b".repeat(64), bytes: freeBytes / 4 },
          { institution_id: other.iid, sha256: "a".repeat(64), bytes: 1 },
        ])
        .execute(),
    );
    const asks = (principal: { uid: string; iid: string }, input: { iid?: string }) =>
      database.as({ system: false, ...principal }, (db) =>
        answerTo("/v1/storage/info")(input, { db, principal } as unknown as MemberContext),
      );
    expect(await asks(who, {})).toEqual({ percent: 50, totalSize: 2.5, maxSize: 5 });
    expect(await asks(other, { iid: other.iid })).toEqual({ percent: 0.01, totalSize: 0.001, maxSize: 5 });
    await expect(asks(who, { iid: other.iid })).rejects.toMatchObject({ refusal: "notFound" });
  });
  it("is rounded to two decimals, with 0 for nothing and a minimum above 0 for a small amount", () => {
    expect([toPercent(0, 100), toPercent(1, 3), toPercent(1, 10_000_000)]).toEqual([0, 33.33, 0.01]);
    expect([toGigabytes(0), toGigabytes(1.5 * 1024 ** 3), toGigabytes(1)]).toEqual([0, 1.5, 0.001]);
  });
});
