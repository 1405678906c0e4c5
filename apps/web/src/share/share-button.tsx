import { ActionIcon, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconShare3 } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import type { ReactNode } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { clinicRoles } from "@arcada/contract/kernel/roles";
import { shareCalls } from "@arcada/contract/share/share.calls";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { HoverTooltip } from "../ui/overlays/hover-tooltip.tsx";

// Loaded on demand, because few users share a study or an order.
const ShareDialog = lazy(async () => ({ default: (await import("./share-dialog.tsx")).ShareDialog }));

interface ShareStudyProps {
  studyId: string;
  /** The reasons why the pixels may identify the patient even if the names are hidden. */
  identifyingNotice?: ReactNode;
  /** An icon alone, for the dark bar above a viewer. */
  isIconOnly?: boolean;
}

/** Opens the dialog that creates a link to this study. */
export function ShareStudyButton({ studyId, identifyingNotice, isIconOnly = false }: ShareStudyProps) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <PermissionGate to={{ access: clinicRoles }}>
      <ShareButton isIconOnly={isIconOnly} onOpen={dialog.open} />
      <Suspense>
        {isOpen && (
          <ShareDialog
            target={{ kind: "study", id: studyId }}
            identifyingNotice={identifyingNotice}
            onClose={dialog.close}
          />
        )}
      </Suspense>
    </PermissionGate>
  );
}

/** Opens the dialog that creates a link to this order. */
export function ShareOrderButton({ order }: { order: Pick<Order, "id" | "revisions" | "mine" | "nameHidden"> }) {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <PermissionGate to={shareCalls.create}>
      <ShareButton isIconOnly={false} onOpen={dialog.open} />
      <Suspense>
        {isOpen && <ShareDialog target={toSharedOrder(order)} identifyingNotice={null} onClose={dialog.close} />}
      </Suspense>
    </PermissionGate>
  );
}

const toSharedOrder = ({ id, revisions, mine, nameHidden }: Parameters<typeof ShareOrderButton>[0]["order"]) => {
  const byLab = mine === "receiver";
  return { kind: "order" as const, id, revisions, byLab, nameHidden: byLab && nameHidden };
};

function ShareButton({ isIconOnly, onOpen }: { isIconOnly: boolean; onOpen: () => void }) {
  const t = useTexts("share");
  const label = t("share.action.share");
  if (!isIconOnly)
    return (
      <Button variant="default" leftSection={<IconShare3 size={16} aria-hidden />} onClick={onOpen}>
        {label}
      </Button>
    );
  return (
    <HoverTooltip label={label}>
      <ActionIcon size={36} variant="subtle" color="gray" aria-label={label} onClick={onOpen}>
        <IconShare3 size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
    </HoverTooltip>
  );
}
