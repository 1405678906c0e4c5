import { expect, it } from "vitest";
import { getTestServer } from "@arcada/testing/setup/test-server";

it("has the terms and the policy in the reader's language, complete", async () => {
  const env = await getTestServer();
  for (const kind of ["terms", "privacy"] as const)
    for (const language of ["zh", "en"]) {
      const { data } = await env.ask("account.privacyPolicy", { kind }, { "accept-language": language });
      expect(data.markdown.match(/^## .+$/gm)).toHaveLength(10);
      expect(data.markdown).not.toMatch(/(terms|privacy)\.\w+\.(title|text)|\{\{/);
    }
});
