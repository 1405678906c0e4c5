import { OrderDetail } from "../order/detail/order-detail.tsx";
import { ShareOrder } from "../share/share-button.tsx";
import { ModelScene } from "../viewer/model/model-scene.tsx";
import { PairScene } from "../viewer/pair/pair-scene.tsx";

export const Page = () => (
  <OrderDetail Scene={ModelScene} Pair={PairScene} share={(order) => <ShareOrder order={order} />} />
);
