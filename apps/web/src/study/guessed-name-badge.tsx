import { Badge, Tooltip, VisuallyHidden } from "@mantine/core";
import { useTexts } from "../i18n/texts.ts";

/** A badge for a name that is not in the character set which its file declares. */
export function GuessedNameBadge() {
  const t = useTexts("study");
  return (
    <Tooltip label={t("study.nameGuessed")} multiline w={260} events={{ hover: true, focus: true, touch: true }}>
      <Badge size="sm" variant="light" color="yellow" tt="none" tabIndex={0}>
        {t("study.guessed")}
        <VisuallyHidden>{t("study.nameGuessed")}</VisuallyHidden>
      </Badge>
    </Tooltip>
  );
}
