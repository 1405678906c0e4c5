import { Anchor, Button, Group, Paper, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { consentCookie, keepConsent, readCookie } from "../kernel/cookies.ts";
import type { Consent } from "../kernel/cookies.ts";
import { firstField } from "../kernel/focus.ts";
import { lookCookie } from "../kernel/look.ts";
import { createStore, useStore } from "../kernel/store.ts";
import { readTabValue, writeTabValue } from "../kernel/tab-storage.ts";
import { keepLanguage, useTexts } from "../kernel/texts.ts";
import classes from "./account.module.css";

const ConsentSettings = lazy(async () => ({ default: (await import("./consent-settings.tsx")).ConsentSettings }));

type Answer = "unasked" | "given" | "refused";
/** A refusal is stored without a cookie: the tab remembers it, also over a reload, until the user chooses again. */
const refusal = "cookieRefusal";
const firstAnswer = (): Answer => {
  if (readCookie(consentCookie) !== undefined) return "given";
  return readTabValue(refusal) === undefined ? "unasked" : "refused";
};
const answer = createStore<Answer>(firstAnswer());
const isChoosing = createStore(false);

/** Signing in and registering write cookies: neither is possible before the banner is answered, or after a refusal. */
export function useConsent(): { disabled: boolean; why: "cookiesFirst" | "cookiesRefused" | null } {
  const given = useStore(answer);
  if (given === "given") return { disabled: false, why: null };
  return { disabled: true, why: given === "refused" ? "cookiesRefused" : "cookiesFirst" };
}
export const openConsentSettings = (): void => isChoosing.set(true);

function give(consent: Consent): void {
  writeTabValue(refusal, undefined);
  keepConsent(consent, [lookCookie]);
  keepLanguage();
  answer.set("given");
  leave();
}

function refuse(): void {
  writeTabValue(refusal, "yes");
  answer.set("refused");
}

/** Moves the focus to the page, because the banner is gone. */
function leave(): void {
  isChoosing.set(false);
  setTimeout(() => firstField(document.querySelector("main"))?.focus());
}

/** The cookie banner. After a refusal it returns on the next page; the answer can be changed at any time. */
export function ConsentBar() {
  const t = useTexts("account");
  const given = useStore(answer);
  const choosing = useStore(isChoosing);
  const [begunWith] = useState(given);
  const isOpen = given === "unasked" || (given === "refused" && begunWith === "refused");
  return (
    <>
      {isOpen && !choosing && (
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
            <Button size="sm" variant="default" onClick={refuse}>
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
