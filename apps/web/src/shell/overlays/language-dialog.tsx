import { Button, Modal, Stack } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { profileCalls } from "@arcada/contract/account/profile.calls";
import { languageTags } from "@arcada/contract/kernel/languages";
import { ask } from "../../data/ask.ts";
import { chooseLanguage, listLanguageChoices, getText, useLanguage, useTexts } from "../../i18n/texts.ts";
import type { Language } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";

/** Each language is listed in itself, so that readers of no other language find it. */
export function LanguageDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const t = useTexts("shell");
  const now = useLanguage();
  const choose = async (language: Language) => {
    await chooseLanguage(language);
    onClose();
    toast("success", getText("shell.languageDone"));
    // Emails use this language too. A rejection is reported by its own message.
    await ask(profileCalls.setSelfInfo, { language }).catch(() => {});
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t("shell.languageTitle")}
      size="xs"
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="xs">
        {listLanguageChoices(now).map((language) => (
          <Button
            key={language}
            lang={languageTags[language]}
            variant={language === now ? "light" : "default"}
            justify="space-between"
            size="md"
            aria-pressed={language === now}
            rightSection={language === now ? <IconCheck size={18} /> : undefined}
            onClick={() => void choose(language)}
          >
            {t(`common.languages.${language}`)}
          </Button>
        ))}
      </Stack>
    </Modal>
  );
}
