import { Button, FileButton, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState, useEffect, useRef } from "react";
import { upgradeCalls } from "@arcada/contract/upgrade/upgrade.calls";
import type { PackageArrival } from "@arcada/contract/upgrade/upgrade.calls";
import { upgradeRules } from "@arcada/contract/upgrade/upgrade.rules";
import { formatBytes } from "../i18n/format.ts";
import { useTexts } from "../i18n/texts.ts";
import { useCall } from "../data/use-call.ts";
import { useCommand } from "../data/use-command.ts";
import { PublishForm } from "./publish-form.tsx";
import { send as askQuietly } from "../data/ask.ts";
import { uploadInParts } from "../data/upload-in-parts.ts";
import { showError } from "../data/show-error.ts";

/** First uploads the bytes, then asks for their description and signature. Earlier uploads are listed here. */
export function PublishPackage({ onClose }: { onClose: () => void }) {
  const t = useTexts("upgrade");
  const [chosen, setChosen] = useState<string | null>(null);
  const uploads = useCall(upgradeCalls.arrivals, {}, { pollMs: 2000 });
  const isNarrow = useMediaQuery("(max-width: 47.99em)", window.innerWidth < 768, { getInitialValueInEffect: false });
  const upload = uploads.data?.find(({ id }) => id === chosen);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      fullScreen={isNarrow}
      title={t("upgrade.publish")}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {upload?.sha256 ? (
        <PublishForm upload={upload} onClose={onClose} />
      ) : (
        <PackageUpload
          uploads={uploads.data ?? []}
          onChosen={setChosen}
          onUploadsChanged={() => void uploads.refetch()}
        />
      )}
    </Modal>
  );
}

interface PackageUploadProps {
  uploads: readonly PackageArrival[];
  onChosen: (id: string) => void;
  onUploadsChanged: () => void;
}
function PackageUpload({ uploads, onChosen, onUploadsChanged }: PackageUploadProps) {
  const t = useTexts("upgrade");
  const { share, send } = usePackageUpload(uploads, (id) => {
    onChosen(id);
    onUploadsChanged();
  });
  const forget = useCommand(upgradeCalls.forget);
  const percent = Math.round((share ?? 0) * 100);
  return (
    <Stack gap="md">
      <Text size="sm">{t("upgrade.fileText", { size: formatBytes(upgradeRules.bytes) })}</Text>
      <FileButton onChange={(file) => void (file && send(file))} inputProps={{ "aria-label": t("upgrade.file") }}>
        {(props) => (
          <Button {...props} loading={share !== null} variant="default">
            {t("upgrade.file")}
          </Button>
        )}
      </FileButton>
      {share !== null && (
        <Stack gap={4} role="status">
          <Text size="sm">{t(share < 1 ? "upgrade.sending" : "upgrade.summing", { percent })}</Text>
          <Progress value={percent} aria-label={t("upgrade.sending", { percent })} />
        </Stack>
      )}
      {share === null &&
        uploads.map((one) => (
          <Group key={one.id} justify="space-between" gap="sm">
            <div>
              <Text size="sm" fw={600}>
                {one.fileName}
              </Text>
              <Text size="xs" c="dimmed">
                {one.sha256
                  ? formatBytes(one.bytes)
                  : t("upgrade.partly", { sent: formatBytes(one.offset), all: formatBytes(one.bytes) })}
              </Text>
            </div>
            <Group gap="xs">
              <Button size="xs" variant="subtle" loading={forget.busy} onClick={() => void forget.run({ id: one.id })}>
                {t("upgrade.forget")}
              </Button>
              {one.sha256 && (
                <Button size="xs" variant="default" onClick={() => onChosen(one.id)}>
                  {t("common.next")}
                </Button>
              )}
            </Group>
          </Group>
        ))}
    </Stack>
  );
}

/** Uploads a package, resuming an earlier attempt with the same file. */
function usePackageUpload(uploads: readonly PackageArrival[], onUploaded: (id: string) => void) {
  const [share, setShare] = useState<number | null>(null);
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);
  const send = async (file: File) => {
    controller.current = new AbortController();
    setShare(0);
    try {
      const earlier = uploads.find(({ fileName, bytes }) => fileName === file.name && bytes === file.size);
      const { id, offset } =
        earlier ?? (await askQuietly(upgradeCalls.begin, { fileName: file.name, bytes: file.size }));
      const { signal } = controller.current;
      const { chunkBytes: pieceBytes } = upgradeRules;
      await uploadInParts(file, { path: `/packages/${id}`, offset, pieceBytes, progress: setShare, signal });
      onUploaded(id);
    } catch (error) {
      showError(error);
      setShare(null);
    }
  };
  return { share, send };
}
