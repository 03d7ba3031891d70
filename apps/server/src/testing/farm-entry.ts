/** A farm as a person enters it: a triangle of half a square of 0.01° near Hinds, Canterbury, about 44.7 ha. */
export const farmEntry = {
  name: 'Farm',
  address: { fullAddress: '1 Race Road, Hinds' },
  lat: -43.75,
  lng: 171.95,
  boundary: [
    { lat: -43.75, lng: 171.95 },
    { lat: -43.75, lng: 171.96 },
    { lat: -43.76, lng: 171.96 },
  ],
};
