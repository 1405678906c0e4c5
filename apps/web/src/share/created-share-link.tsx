import { Button, CopyButton, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { Output } from "@arcada/contract/kernel/call";
import type { shareCalls } from "@arcada/contract/share/share.calls";
import { screens } from "@arcada/contract/screens";
import { formatTimestamp } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";

export type CreatedShare = Output<typeof shareCalls.create>;

/** The new link, which is shown only once. */
export function CreatedShareLink({
  created: { share, secret },
  onDone,
}: {
  created: CreatedShare;
  onDone: () => void;
}) {
  const t = useTexts("share");
  const url = buildShareUrl(secret);
  return (
    <Stack gap="md">
      <Text size="sm">{t("share.made.text")}</Text>
      <TextInput
        label={t("share.made.link")}
        value={url}
        readOnly
        dir="ltr"
        data-autofocus
        onFocus={(event) => event.currentTarget.select()}
      />
      <Text size="sm" c="dimmed">
        {[
          share.label,
          t(`share.factor.${share.factor}`),
          t("share.made.until", { time: formatTimestamp(share.expiresAt) }),
        ].join(" · ")}
      </Text>
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onDone}>
          {t("share.made.done")}
        </Button>
        <CopyButton value={url} timeout={3000}>
          {({ copied, copy }) => (
            <Button
              onClick={copy}
              color={copied ? "teal" : "brand"}
              leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
            >
              {copied ? t("common.copied") : t("share.made.copy")}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}

/** The secret follows the number sign, because browsers do not send that part. */
const buildShareUrl = (secret: string): string => `${location.origin}${screens.studyShared.path}#${secret}`;
