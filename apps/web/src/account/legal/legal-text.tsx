import Markdown from "markdown-to-jsx";
import { useEffect, useState } from "react";
import { legalTextCalls, type LegalKind } from "@arcada/contract/account/legal-texts.calls";
import { Text } from "@mantine/core";
import type { Output } from "@arcada/contract/kernel/call";
import { useTexts, useLanguage } from "../../i18n/texts.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import classes from "./legal.module.css";
import { send } from "../../data/ask.ts";

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

interface LegalQuery {
  data: Output<typeof legalTextCalls.privacyPolicy> | undefined;
  error: Error | null;
  isPending: boolean;
  refetch: () => void;
}

/** The terms or the policy in the page's language. It works without a query cache, on the sign-in pages. */
function useLegal(kind: LegalKind): LegalQuery {
  const language = useLanguage();
  const [answer, setAnswer] = useState<Pick<LegalQuery, "data" | "error">>({ data: undefined, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    send(legalTextCalls.privacyPolicy, { kind }, { signal: controller.signal }).then(
      (data) => setAnswer({ data, error: null }),
      (error: Error) => controller.signal.aborted || setAnswer({ data: undefined, error }),
    );
    return () => controller.abort();
  }, [kind, language, attempt]);
  const refetch = () => {
    setAnswer({ data: undefined, error: null });
    setAttempt((now) => now + 1);
  };
  return { ...answer, isPending: !answer.data && !answer.error, refetch };
}
