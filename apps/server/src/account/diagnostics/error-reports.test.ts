import { expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";
import { refusalOf } from "@arcada/testing/refusal-of";

const newcomer = async () => (await getTestServer()).createUser("newUser");

it("keeps reports of errors without naming anyone, as many as a person can cause", async () => {
  const person = await newcomer();
  const fault = {
    message: "no patient called 王伟",
    stack: "Error\n at x.js:1:1",
    path: "/patientList?search=王伟",
    at: new Date().toISOString(),
  };
  await person.call("account.reportErrors", { errors: [fault] });
  const env = await getTestServer();
  const kept = await env.running.database.asSystem((db) => db.selectFrom("error_report").selectAll().execute());
  expect(kept).toMatchObject([{ message: "no patient called …", path: "/patientList" }]);
  expect(JSON.stringify(kept)).not.toContain(person.uid);
  const many = Array.from({ length: 50 }, () => fault);
  const answers = await Promise.all([1, 2, 3, 4].map(() => person.ask("account.reportErrors", { errors: many })));
  expect(answers.map(refusalOf).toSorted()).toEqual(["accepted", "accepted", "accepted", "tooManyRequests"]);
});
