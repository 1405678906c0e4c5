import { Alert, SimpleGrid, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { institutionCalls, logoPositions, logoRules } from "@arcada/contract/institution/institution.calls";
import type { LogoWarning, LogoPosition } from "@arcada/contract/institution/institution.calls";
import { useTexts } from "../i18n/texts.ts";
import { encodeBase64 } from "../ui/upload/encode-base64.ts";
import { FileChoice } from "../ui/upload/file-choice.tsx";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { Section } from "../ui/page.tsx";
import classes from "./report-logos.module.css";

type Logos = Record<LogoPosition, string | null>;

/** The logos of the reports' PDF, each as it will appear there. */
export function ReportLogos({ logos }: { logos: Logos }) {
  const t = useTexts("institution");
  return (
    <Section title={t("institution.logos.title")} description={t("institution.logos.says")}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        {logoPositions.map((place) => (
          <LogoField key={place} place={place} url={logos[place]} />
        ))}
      </SimpleGrid>
    </Section>
  );
}

function LogoField({ place, url }: { place: LogoPosition; url: string | null }) {
  const t = useTexts("institution", "refusals");
  const command = useCommand(institutionCalls.setLogo, { shownBy: "form" });
  const [advice, setAdvice] = useState<LogoWarning[]>([]);
  const setLogo = async (file: File | null) => {
    setAdvice([]);
    const done = await command.run({ place, image: file && (await encodeBase64(file)) });
    if (!done) return;
    setAdvice(done.data.advice);
    toast("success", t(file ? "institution.logos.saved" : "institution.logos.removed"));
  };
  const name = t(`institution.logos.${place}`);
  return (
    <Stack gap="sm" role="group" aria-label={name}>
      <div>
        <Text fw={600} size="sm">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {t(`institution.logos.${place}Text`)}
        </Text>
      </div>
      <LogoPreview place={place} url={url} name={name} />
      <FileChoice
        accept="image/png,image/jpeg"
        maxBytes={logoRules.bytes}
        stored={url}
        isBusy={command.busy}
        labels={{
          choose: t("institution.logos.choose"),
          replace: t("institution.logos.replace"),
          remove: t("institution.logos.remove"),
          tooLarge: t("refusals.logoTooLarge"),
        }}
        problem={command.refused?.msg}
        onChange={(file) => void setLogo(file)}
      />
      {advice.length > 0 && (
        <Alert color="yellow" role="status">
          {advice.map((one) => (
            <Text key={one} size="sm">
              {t(`institution.logos.advice.${one}`)}
            </Text>
          ))}
        </Alert>
      )}
    </Stack>
  );
}

function LogoPreview({ place, url, name }: { place: LogoPosition; url: string | null; name: string }) {
  const t = useTexts("institution");
  return (
    <div className={`${classes.sheet} ${classes[place]}`}>
      {url ? (
        <img src={url} alt={t("institution.logos.preview", { place: name })} className={classes.logo} />
      ) : (
        <div className={classes.none}>{t("institution.logos.none")}</div>
      )}
      <div>
        <Text fw={600} c="inherit" aria-hidden>
          {t("institution.logos.previewHeading")}
        </Text>
        <div className={classes.lines} aria-hidden>
          <span />
          <span />
          <span />
        </div>
      </div>
    </div>
  );
}
