// Numbers only, no schema: the browser carries this file.

/** spec 1 §3: how a device is reached. LoRa is for sensors alone. */
export const commsModes = { Mesh: 0, Local: 1, Hybrid: 2, LoRa: 3 } as const;
