import type { Settings } from './settings.ts';

/** What holds until a person saves settings. No schema here: the browser carries this file. */
export const defaultSettings: Settings = {
  currFarm: null,
  displayTooltips: true,
  displayPOI: true,
  displaySensors: true,
  displaySpares: false,
  showSpareReadyDialog: true,
  displayIPCMap: true,
  displayTankMap: true,
};
