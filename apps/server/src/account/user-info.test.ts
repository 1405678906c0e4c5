import { describe, expect, it } from "vitest";
import { setup } from "@arcada/testing/setup/test-server";

describe("the data of the signed-in user", () => {
  it("names the roles that it may work in, in the language of the request", async () => {
    const { dentist } = await setup();
    for (const [language, name] of [
      ["en", "Doctor"],
      ["zh", "医生"],
    ] as const)
      expect(
        (await dentist.call("account.getUserInfo", {}, { "accept-language": language })).authorities,
      ).toMatchObject([{ authorityId: 233, authorityName: name }]);
  });
});
