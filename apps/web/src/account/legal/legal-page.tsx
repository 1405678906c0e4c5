import { Anchor, Button, Group, Title } from "@mantine/core";
import { screens } from "@arcada/contract/screens";
import type { LegalKind } from "@arcada/contract/account/legal-texts.calls";
import { chooseLanguage, useLanguage, useTexts } from "../../i18n/texts.ts";
import { useDocumentTitle } from "../fields/use-document-title.ts";
import { Logo } from "../../ui/logo.tsx";
import { LegalText } from "./legal-text.tsx";
import classes from "./legal.module.css";

/** The terms or the privacy policy on a separate public page, in both languages. */
export function LegalPage({ kind }: { kind: LegalKind }) {
  const t = useTexts("account");
  const language = useLanguage();
  const other = language === "en" ? "zh" : "en";
  const otherKind = kind === "terms" ? "privacy" : "terms";
  const title = t(`shell.screen.${kind}`);
  useDocumentTitle(title);
  return (
    <main className={classes.page}>
      <Group justify="space-between" mb="xl">
        <a href="/" className={classes.home} aria-label={t("common.home")}>
          <Logo />
        </a>
        <Button variant="subtle" color="gray" size="sm" lang={other} onClick={() => void chooseLanguage(other)}>
          {t(`common.languages.${other}`)}
        </Button>
      </Group>
      <Title order={1} mb="xs">
        {title}
      </Title>
      <LegalText kind={kind} />
      <Group mt="xl" gap="lg">
        <Anchor href={screens[otherKind].path}>{t(`shell.screen.${otherKind}`)}</Anchor>
        <Anchor href="/">{t("common.home")}</Anchor>
      </Group>
    </main>
  );
}
