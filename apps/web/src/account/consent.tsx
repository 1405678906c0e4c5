import { Anchor, Button, Group, Paper, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { consentCookie, keepConsent, readCookie } from "../kernel/cookies.ts";
import type { Consent } from "../kernel/cookies.ts";
import { firstField } from "../kernel/focus.ts";
import { lookCookie } from "../kernel/look.ts";
import { createStore, useStore } from "../kernel/store.ts";
import { useTexts } from "../kernel/texts.ts";
import classes from "./account.module.css";

const ConsentSettings = lazy(async () => ({ default: (await import("./consent-settings.tsx")).ConsentSettings }));

/** A refusal is kept nowhere: it holds until the page is loaded again. */
const answer = createStore<"unasked" | "given" | "refused">("unasked");
const isChoosing = createStore(false);

export const useConsent = (): { refused: boolean } => ({ refused: useStore(answer) === "refused" });
export const openConsentSettings = (): void => isChoosing.set(true);

function give(consent: Consent): void {
  keepConsent(consent, [lookCookie]);
  answer.set("given");
  leave();
}

/** On with the page itself: what was chosen with is gone. */
function leave(): void {
  isChoosing.set(false);
  setTimeout(() => firstField(document.querySelector("main"))?.focus());
}

/** Signing in needs a cookie; whoever refuses cannot sign in until the page is loaded again and the choice made anew. */
export function ConsentBar() {
  const t = useTexts("account");
  const given = useStore(answer);
  const choosing = useStore(isChoosing);
  // Read once: what was chosen on an earlier visit.
  const [known] = useState(() => readCookie(consentCookie) !== undefined);
  return (
    <>
      {given === "unasked" && !known && !choosing && (
        <Paper className={classes.consent} role="region" aria-label={t("account.cookies")}>
          <Text size="sm" className={classes.grow}>
            {t("account.cookiesText")}{" "}
            <Anchor href={screens.privacy.path} size="sm" underline="always">
              {t("account.privacy")}
            </Anchor>
          </Text>
          <Group gap="xs">
            <Button size="sm" variant="subtle" color="gray" onClick={openConsentSettings}>
              {t("account.cookiesChoose")}
            </Button>
            <Button size="sm" variant="default" onClick={() => answer.set("refused")}>
              {t("account.cookiesRefuse")}
            </Button>
            <Button size="sm" onClick={() => give("all")}>
              {t("account.cookiesAccept")}
            </Button>
          </Group>
        </Paper>
      )}
      <Suspense>
        {choosing && (
          <ConsentSettings
            preferences={readCookie(consentCookie) === "all"}
            onClose={leave}
            onSave={(preferences) => give(preferences ? "all" : "necessary")}
          />
        )}
      </Suspense>
    </>
  );
}
