import Markdown from "markdown-to-jsx";
import type { LegalKind } from "@arcada/contract/account/profile.calls";
import { Text } from "@mantine/core";
import { useTexts } from "../../i18n/texts.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { useLegal } from "./use-legal.ts";
import classes from "./legal.module.css";

/** The terms or the policy from the server, with the version that the user agrees to. */
export function LegalText({ kind }: { kind: LegalKind }) {
  const t = useTexts("account");
  const query = useLegal(kind);
  return (
    <QueryResult of={query}>
      {({ version, markdown }) => (
        <div className={classes.text}>
          <Text size="sm" c="dimmed">
            {t("account.legalVersion", { version })}
          </Text>
          <Markdown options={{ disableParsingRawHTML: true, forceBlock: true }}>{markdown}</Markdown>
        </div>
      )}
    </QueryResult>
  );
}
