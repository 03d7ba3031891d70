/** Why a command can't be sent now, as every screen says it. */
export const refusals = {
  noRight: 'You may not send this on this farm.',
  noConnection: "There is no connection now. Commands can't go, and none is kept to be sent later.",
  noGateway: 'This farm has no gateway to send through.',
  gatewayGone: 'Gateway currently unavailable.',
  listNotLoaded: 'Commands blocked until sprinklers list is loaded.',
} as const;
