import { Anchor, Button, Group, Paper, Text } from "@mantine/core";
import { Suspense, lazy, useState } from "react";
import { screens } from "@arcada/contract/screens";
import { consentCookie, storeConsent, readCookie } from "../../browser/cookies.ts";
import type { CookieConsent } from "../../browser/cookies.ts";
import { findFirstField } from "../../browser/focus-restoration.ts";
import { appearanceCookie } from "../../browser/appearance.ts";
import { createStore, useStore } from "../../browser/external-store.ts";
import { readTabValue, writeTabValue } from "../../browser/tab-storage.ts";
import { persistLanguage, useTexts } from "../../i18n/texts.ts";
import classes from "../fields/account.module.css";

const CookieSettings = lazy(async () => ({ default: (await import("./cookie-settings.tsx")).CookieSettings }));

type ConsentState = "unasked" | "given" | "refused";
/** A refusal is stored without a cookie: the tab remembers it, also over a reload, until the user chooses again. */
const refusalKey = "cookieRefusal";
const readConsentState = (): ConsentState => {
  if (readCookie(consentCookie) !== undefined) return "given";
  return readTabValue(refusalKey) === undefined ? "unasked" : "refused";
};
const consentState = createStore<ConsentState>(readConsentState());
const isSettingsOpen = createStore(false);

/** Signing in and registering write cookies: neither is possible before the banner is answered, or after a refusal. */
export function useCookieConsent(): { disabled: boolean; reason: "cookiesFirst" | "cookiesRefused" | null } {
  const given = useStore(consentState);
  if (given === "given") return { disabled: false, reason: null };
  return { disabled: true, reason: given === "refused" ? "cookiesRefused" : "cookiesFirst" };
}
export const openCookieSettings = (): void => isSettingsOpen.set(true);

function grantConsent(consent: CookieConsent): void {
  writeTabValue(refusalKey, undefined);
  storeConsent(consent, [appearanceCookie]);
  persistLanguage();
  consentState.set("given");
  closeSettings();
}

function refuseConsent(): void {
  writeTabValue(refusalKey, "yes");
  consentState.set("refused");
}

/** Moves the focus to the page, because the banner was closed. */
function closeSettings(): void {
  isSettingsOpen.set(false);
  setTimeout(() => findFirstField(document.querySelector("main"))?.focus());
}

/** The cookie banner. After a refusal it returns on the next page; the answer can be changed at any time. */
export function CookieBanner() {
  const t = useTexts("account");
  const given = useStore(consentState);
  const settingsOpen = useStore(isSettingsOpen);
  const [initialState] = useState(given);
  const isOpen = given === "unasked" || (given === "refused" && initialState === "refused");
  return (
    <>
      {isOpen && !settingsOpen && (
        <Paper className={classes.consent} role="region" aria-label={t("account.cookies")}>
          <Text size="sm" className={classes.grow}>
            {t("account.cookiesText")}{" "}
            <Anchor href={screens.privacy.path} size="sm" underline="always">
              {t("account.privacy")}
            </Anchor>
          </Text>
          <Group gap="xs">
            <Button size="sm" variant="subtle" color="gray" onClick={openCookieSettings}>
              {t("account.cookiesChoose")}
            </Button>
            <Button size="sm" variant="default" onClick={refuseConsent}>
              {t("account.cookiesRefuse")}
            </Button>
            <Button size="sm" onClick={() => grantConsent("all")}>
              {t("account.cookiesAccept")}
            </Button>
          </Group>
        </Paper>
      )}
      <Suspense>
        {settingsOpen && (
          <CookieSettings
            preferences={readCookie(consentCookie) === "all"}
            onClose={closeSettings}
            onSave={(preferences) => grantConsent(preferences ? "all" : "necessary")}
          />
        )}
      </Suspense>
    </>
  );
}
