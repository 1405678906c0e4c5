import "../../ui/mantine-more.css";
import { Button, Group, Modal, Stack, Switch, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";

interface Props {
  preferences: boolean;
  onClose: () => void;
  onSave: (preferences: boolean) => void;
}

/** Necessary storage is always on and cannot be turned off. Everything else is off until the user turns it on. */
export function CookieSettings({ preferences, onClose, onSave }: Props) {
  const t = useTexts("account");
  const [wanted, setWanted] = useState(preferences);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("account.cookiesSettings")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <Stack gap="lg">
        <Switch
          checked
          disabled
          label={t("account.cookiesNecessary")}
          description={t("account.cookiesNecessaryText")}
          readOnly
        />
        <Switch
          data-autofocus
          checked={wanted}
          onChange={(event) => setWanted(event.currentTarget.checked)}
          label={t("account.cookiesPreferences")}
          description={t("account.cookiesPreferencesText")}
        />
        <Text size="sm" c="dimmed">
          {t("account.cookiesLater")}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button onClick={() => onSave(wanted)}>{t("account.cookiesSave")}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
