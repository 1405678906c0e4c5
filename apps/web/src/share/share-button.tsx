import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconShare3 } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { Permit } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";

// Few look at a study to share it.
const ShareDialog = lazy(async () => ({ default: (await import("./share-dialog.tsx")).ShareDialog }));

interface Props {
  studyId: string;
  /** Why its pixels may name the patient all the same. */
  telling?: ReactNode;
  /** A sign alone, for the dark bar above a viewer. */
  isSign?: boolean;
}

/** Opens the way to a link that shows this study. */
export function ShareStudy({ studyId, telling, isSign = false }: Props) {
  const t = useTexts("share");
  const [isOpen, dialog] = useDisclosure(false);
  const label = t("share.action.share");
  return (
    <Permit to={shareCalls.create}>
      {isSign ? (
        <Tooltip label={label}>
          <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={dialog.open}>
            <IconShare3 size={20} stroke={1.6} aria-hidden />
          </ActionIcon>
        </Tooltip>
      ) : (
        <Button variant="default" leftSection={<IconShare3 size={16} aria-hidden />} onClick={dialog.open}>
          {label}
        </Button>
      )}
      <Suspense>{isOpen && <ShareDialog studyId={studyId} telling={telling} onClose={dialog.close} />}</Suspense>
    </Permit>
  );
}
