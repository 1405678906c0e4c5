import { Button } from "@mantine/core";
import { IconFileTypePdf } from "@tabler/icons-react";
import { useState } from "react";
import { offeredLanguages } from "@arcada/contract/kernel/languages";
import { reportCalls } from "@arcada/contract/report/report.calls";
import { ask } from "../data/ask.ts";
import { useTexts } from "../i18n/texts.ts";

type PrintLanguage = (typeof offeredLanguages)[number];

/** Opens the printable report in a new tab, in one of its languages. */
export function PrintReport({ id, beforePrint }: { id: string; beforePrint?: (() => Promise<void>) | undefined }) {
  const t = useTexts("report");
  const [busy, setBusy] = useState<PrintLanguage | null>(null);
  const open = async (lang: PrintLanguage) => {
    setBusy(lang);
    try {
      await beforePrint?.();
      const { url } = await ask(reportCalls.paper, { id, lang });
      Object.assign(document.createElement("a"), { href: url, target: "_blank", rel: "noopener" }).click();
    } catch {
      // The error is already reported.
    } finally {
      setBusy(null);
    }
  };
  return offeredLanguages.map((lang) => (
    <Button
      key={lang}
      variant="default"
      leftSection={<IconFileTypePdf size={16} stroke={1.6} aria-hidden />}
      loading={busy === lang}
      onClick={() => void open(lang)}
    >
      {t("report.printIn", { language: t(`common.languages.${lang}`) })}
    </Button>
  ));
}
