import { beforeAll, describe, expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";
import type { AnyTestUser, TestServer } from "@arcada/testing/setup/test-server";
import { present } from "@arcada/testing/require-present";

let server: TestServer;
let operator: AnyTestUser;
beforeAll(async () => {
  server = await getTestServer();
  operator = await server.createUser("operator");
});

/** A task that does not run by itself during this test. */
const task = "order.autoComplete";
const setTask = (values: { succeeded_at?: string; failures?: number; error?: string }) =>
  server.running.database.asSystem((db) =>
    db.updateTable("repeated_task").set(values).where("name", "=", task).execute(),
  );
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
const lightOfTasks = async () =>
  present((await operator.call("operator.health", {})).lights.find(({ name }) => name === "tasks")).state;

describe("the light of the repeated tasks", () => {
  it("is good while every task succeeds in time", async () => {
    await setTask({ succeeded_at: hoursAgo(1), failures: 0 });
    expect(await lightOfTasks()).toBe("good");
  });

  it("warns of a task whose last run failed, and its error is listed", async () => {
    await setTask({ succeeded_at: hoursAgo(1), failures: 2, error: "53100" });
    expect(await lightOfTasks()).toBe("watch");
    const { tasks } = await operator.call("operator.health", {});
    expect(tasks.find(({ name }) => name === task)).toMatchObject({
      everySeconds: 600,
      toleratedSeconds: 7200,
      failures: 2,
      error: "53100",
    });
  });

  it("turns red when the last success of a task is older than tolerated", async () => {
    await setTask({ succeeded_at: hoursAgo(3), failures: 0 });
    expect(await lightOfTasks()).toBe("bad");
  });
});
