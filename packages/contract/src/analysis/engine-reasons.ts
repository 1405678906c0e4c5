/**
 * Reasons for rejecting an engine. The list is closed: messages of the runtime and the network name paths and addresses
 * of the server, and stay in its log.
 */
export const engineReasons = [
  "notAnArchive",
  "entryMissing",
  "entryUnknown",
  "entryTooLarge",
  "notJson",
  "interfaceVersion",
  "manifestInvalid",
  "cardInvalid",
  "unsigned",
  "signerUnknown",
  "sumDiffers",
  /** Not written as ONNX models are. */
  "modelMalformed",
  /** Too many nodes or tensors, or subgraphs too deep. */
  "modelTooComplex",
  /** Another format than ONNX. */
  "modelFormat",
  /** Weights are in files outside of the model. */
  "externalData",
  "trainingData",
  "stringTensor",
  /** It brings settings for the runtime. */
  "settingsInside",
  /** An operator that is not part of ONNX. */
  "operatorForeign",
  "modelNotLoaded",
  "inferenceFailed",
  "inputDiffers",
  "outputMissing",
  "outputDiffers",
  /** The runtime is an optional part of an installation. */
  "runtimeNotInstalled",
] as const;
export type EngineReason = (typeof engineReasons)[number];
