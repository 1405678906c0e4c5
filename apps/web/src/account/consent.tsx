import { Button, Group, Paper, Text } from "@mantine/core";
import { keepCookie, readCookie } from "../kernel/cookies.ts";
import { createStore, useStore } from "../kernel/store.ts";
import { useTexts } from "../kernel/texts.ts";
import classes from "./account.module.css";

type Consent = "unasked" | "given" | "refused";
const cookie = "cookieConsent";
/** A refusal is kept nowhere: it holds until the page is loaded again. */
const consent = createStore<Consent>("unasked");

export const useConsent = (): { refused: boolean } => ({ refused: useStore(consent) === "refused" });

/** Signing in needs a cookie; whoever refuses cannot sign in until the page is loaded again. */
export function ConsentBar() {
  const t = useTexts("account");
  const given = useStore(consent);
  if (given !== "unasked" || readCookie(cookie) === "yes") return null;
  return (
    <Paper className={classes.consent} role="region" aria-label={t("account.cookies")}>
      <Text size="sm" className={classes.grow}>
        {t("account.cookiesText")}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Button size="sm" variant="default" onClick={() => consent.set("refused")}>
          {t("account.cookiesRefuse")}
        </Button>
        <Button
          size="sm"
          onClick={() => {
            keepCookie(cookie, "yes");
            consent.set("given");
          }}
        >
          {t("account.cookiesAccept")}
        </Button>
      </Group>
    </Paper>
  );
}
