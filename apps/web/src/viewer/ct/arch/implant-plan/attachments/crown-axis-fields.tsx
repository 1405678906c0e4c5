import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { findOcclusalAxis } from "@arcada/imaging/implant/crown-axis";
import { getOutwardAxis } from "@arcada/imaging/implant/implant-parts";
import { formatNumber } from "../../../../../i18n/format.ts";
import { useTexts } from "../../../../../i18n/texts.ts";
import { useRendering } from "../../../volume-rendering/rendering-context.tsx";
import type { Implant } from "../implant-plan.ts";
import type { PlanParts } from "../plan-props.ts";
import { measureCrownAngles, putAttachments, type CrownAxis } from "./implant-attachments.ts";

/** The crown's axis: square to the registered scan's occlusal plane or set by hand, with its angles to the parts. */
export function CrownAxisFields({
  arch,
  implant: { annotation, body, attachments },
}: Pick<PlanParts, "arch"> & { implant: Implant }) {
  const t = useTexts("implant");
  const { mesh, registered } = useRendering().scan;
  const [isEmpty, setEmpty] = useState(false);
  const { crown } = attachments;
  const angles = measureCrownAngles(body, attachments);
  const put = (next: CrownAxis | null) => arch.alter(putAttachments(annotation, { crown: next }), true);
  const takeFromScan = () => {
    const axis = mesh && registered && findOcclusalAxis(mesh, registered, body);
    setEmpty(!axis);
    if (axis) put({ from: "scan", axis });
  };
  return (
    <div role="group" aria-label={t("implant.crown.title")}>
      <Text size="xs" fw={500}>
        {t("implant.crown.title")}
      </Text>
      {crown && angles && (
        <Text size="xs">
          {[
            t("implant.crown.toImplant", { degrees: formatNumber(angles.toImplant, 1) }),
            angles.toAbutment === null
              ? null
              : t("implant.crown.toAbutment", { degrees: formatNumber(angles.toAbutment, 1) }),
            t(`implant.crown.from.${crown.from}`),
          ]
            .filter(Boolean)
            .join(" · ")}
        </Text>
      )}
      {!registered && (
        <Text size="xs" c="dimmed">
          {t("implant.crown.needsScan")}
        </Text>
      )}
      {isEmpty && (
        <Text size="xs" role="status" c="orange.3">
          {t("implant.crown.scanEmpty")}
        </Text>
      )}
      <Group gap="xs" mt={4}>
        <Button size="compact-xs" variant="light" disabled={!mesh || !registered} onClick={takeFromScan}>
          {t("implant.crown.fromScan")}
        </Button>
        {crown ? (
          <Button size="compact-xs" variant="subtle" color="gray" onClick={() => put(null)}>
            {t("implant.crown.remove")}
          </Button>
        ) : (
          <Button size="compact-xs" variant="subtle" onClick={() => put({ from: "hand", axis: getOutwardAxis(body) })}>
            {t("implant.crown.byHand")}
          </Button>
        )}
      </Group>
    </div>
  );
}
