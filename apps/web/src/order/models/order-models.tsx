import { Button, SegmentedControl, Stack } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { ComponentType } from "react";
import type { Order } from "@arcada/contract/order/order.calls";
import { useTexts } from "../../i18n/texts.ts";
import { Section } from "../../ui/page.tsx";
import { listModelSets } from "./model-sets.ts";
import type { SceneFile } from "./model-sets.ts";
import type { OrderPins, ScenePins } from "./use-order-pins.ts";
import classes from "../detail/order-detail.module.css";

export type RenewUrls = (id: string) => Promise<Pick<SceneFile, "url" | "glb"> | null>;

/**
 * The props of the component that draws models in 3D. The page provides the component, since orders do not depend on
 * viewers.
 */
export interface SceneProps {
  models: readonly SceneFile[];
  /** Addresses expire after some minutes. Returns new ones. */
  renew: RenewUrls;
  pins?: ScenePins;
  /** If set, colours the distances of the first model from the second. */
  compares?: { a: string; b: string };
  /** Called once the loading of all models has ended, with the ids of those that are shown. */
  onLoaded?: (shown: readonly string[]) => void;
}
interface OrderModelsProps {
  order: Order;
  Scene: ComponentType<SceneProps>;
  renew: RenewUrls;
  pins: OrderPins;
  /** The id of the shown set, or null. */
  shown: string | null;
  onShow: (set: string | null) => void;
}

/** The scans of the prescription, or a revision together with them, shown on request. */
export function OrderModels({ order, Scene, renew, pins, shown, onShow }: OrderModelsProps) {
  const t = useTexts("order");
  const containerRef = useRef<HTMLDivElement>(null);
  const sets = listModelSets(order, t);
  const set = sets.find(({ id }) => id === shown);
  useEffect(() => {
    if (shown) containerRef.current?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [shown]);
  if (!set) return null;
  return (
    <Section
      title={t("order.detail.models")}
      actions={
        <Button size="xs" variant="default" onClick={() => onShow(null)}>
          {t("order.detail.modelsHide")}
        </Button>
      }
    >
      <Stack gap="sm" ref={containerRef} className={classes.stage!}>
        {sets.length > 1 && (
          <div className={classes.sets}>
            <SegmentedControl
              size="xs"
              aria-label={t("order.detail.models")}
              data={sets.map(({ id, label }) => ({ value: id, label }))}
              value={set.id}
              onChange={onShow}
            />
          </div>
        )}
        <div className={classes.scene}>
          <Scene key={set.id} models={set.models} renew={renew} pins={pins.forModels(set.models)} />
        </div>
      </Stack>
    </Section>
  );
}
