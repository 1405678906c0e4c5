import { Alert, Button, FileButton, Group, Progress, Stack, Text } from "@mantine/core";
import { IconPackage } from "@tabler/icons-react";
import { use, useEffect, useEffectEvent, useState } from "react";
import { analysisCalls } from "@arcada/contract/analysis/analysis.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { useStore } from "../browser/external-store.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { Section } from "../ui/page.tsx";
import { UploadQueue } from "../ui/upload/upload-queue.ts";
import { UploadSessionContext } from "../ui/upload/upload-authentication.ts";
import { FaultText } from "./engine-rejection-reason.tsx";

type Packs = Output<typeof analysisCalls.engines>["packs"];

/** The form to install packs, or the contact to ask for permission. */
export function InstallPack({ packs }: { packs: Packs }) {
  const t = useTexts("analysis");
  if (packs.allowed) return <PackUpload unsigned={packs.unsigned} />;
  return (
    <Section title={t("analysis.engines.install")}>
      <Alert color="blue" title={t("analysis.engines.forbidden")}>
        {t("analysis.engines.forbiddenText")}
      </Alert>
    </Section>
  );
}

/** Uploads a pack and has it verified. The reason of a rejection stays on the page. */
function PackUpload({ unsigned }: { unsigned: boolean }) {
  const t = useTexts("analysis", "refusals");
  const { queue, install, fault, isBusy } = usePackInstall();
  const [sending] = useStore(queue.files);
  const isSending = sending?.state === "running" || sending?.state === "waiting";
  const percent = sending ? Math.round((100 * sending.sent) / Math.max(1, sending.bytes)) : 0;
  return (
    <Section title={t("analysis.engines.install")} description={t("analysis.engines.installText")}>
      <Stack gap="sm">
        <Group gap="md">
          <FileButton
            accept=".zip,application/zip"
            inputProps={{ "aria-label": t("analysis.engines.install") }}
            onChange={install}
          >
            {(button) => (
              <Button {...button} leftSection={<IconPackage size={18} aria-hidden />} loading={isBusy || isSending}>
                {t("analysis.engines.install")}
              </Button>
            )}
          </FileButton>
          {(isBusy || isSending) && (
            <Text size="sm" c="dimmed" role="status">
              {isSending ? t("analysis.engines.sending", { percent }) : t("analysis.engines.checking")}
            </Text>
          )}
        </Group>
        {isSending && <Progress value={percent} aria-label={t("analysis.engines.sending", { percent })} />}
        {sending?.state === "refused" && <Alert color="red">{sending.problem}</Alert>}
        {!unsigned && (
          <Text size="sm" c="dimmed">
            {t("analysis.engines.signedOnly")}
          </Text>
        )}
        {fault && <FaultText {...fault} />}
      </Stack>
    </Section>
  );
}

function usePackInstall() {
  const t = useTexts("analysis");
  const session = use(UploadSessionContext);
  const [queue] = useState(() => new UploadQueue(session));
  const [fault, setFault] = useState<{ fault: string; detail: string | null } | null>(null);
  const call = useCommand(analysisCalls.installPack);
  const arrived = useEffectEvent(async (upload: string) => {
    const answer = await call.run({ upload });
    queue.removeDone();
    if (!answer) return;
    const { engine, fault: faultCode, detail } = answer.data;
    if (engine) toast("success", t("analysis.engines.installed", { engine: engine.info.id }));
    setFault(faultCode && { fault: faultCode, detail });
  });
  useEffect(() => {
    queue.setHandlers({ onArrived: ({ id }) => void arrived(id) });
    return () => queue.detach();
  }, [queue]);
  const install = (file: File | null) => {
    setFault(null);
    if (file) queue.add([file]);
  };
  return { queue, install, fault, isBusy: call.busy };
}
