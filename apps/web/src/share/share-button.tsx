import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconShare3 } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { Permit } from "../kernel/permit.tsx";
import { useTexts } from "../kernel/texts.ts";

// Loaded on demand, because few users share a study or an order.
const ShareDialog = lazy(async () => ({ default: (await import("./share-dialog.tsx")).ShareDialog }));

interface StudyProps {
  studyId: string;
  /** The reasons why the pixels may identify the patient even if the names are hidden. */
  telling?: ReactNode;
  /** An icon alone, for the dark bar above a viewer. */
  isSign?: boolean;
}

/** Opens the dialog that creates a link to this study. */
export function ShareStudy({ studyId, telling, isSign = false }: StudyProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Permit to={{ access: clinicRoles }}>
      <Opener isSign={isSign} onOpen={dialog.open} />
      <Suspense>
        {isOpen && <ShareDialog thing={{ kind: "study", id: studyId }} telling={telling} onClose={dialog.close} />}
      </Suspense>
    </Permit>
  );
}

/** Opens the dialog that creates a link to this order. */
export function ShareOrder({ order }: { order: Pick<Order, "id" | "revisions" | "mine" | "nameHidden"> }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <Permit to={shareCalls.create}>
      <Opener isSign={false} onOpen={dialog.open} />
      <Suspense>{isOpen && <ShareDialog thing={thingOf(order)} telling={null} onClose={dialog.close} />}</Suspense>
    </Permit>
  );
}

const thingOf = ({ id, revisions, mine, nameHidden }: Parameters<typeof ShareOrder>[0]["order"]) => {
  const byLab = mine === "receiver";
  return { kind: "order" as const, id, revisions, byLab, nameHidden: byLab && nameHidden };
};

function Opener({ isSign, onOpen }: { isSign: boolean; onOpen: () => void }) {
  const t = useTexts("share");
  const label = t("share.action.share");
  if (!isSign)
    return (
      <Button variant="default" leftSection={<IconShare3 size={16} aria-hidden />} onClick={onOpen}>
        {label}
      </Button>
    );
  return (
    <Tooltip label={label}>
      <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onOpen}>
        <IconShare3 size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
