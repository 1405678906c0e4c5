import { OrderDetail } from "../order/detail/order-detail.tsx";
import { ShareOrderButton } from "../share/share-button.tsx";
import { ModelScene } from "../viewer/model/model-scene.tsx";
import { SideBySideModels } from "../viewer/pair/pair-scene.tsx";

export const Page = () => (
  <OrderDetail Scene={ModelScene} Pair={SideBySideModels} share={(order) => <ShareOrderButton order={order} />} />
);
