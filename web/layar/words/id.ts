const id = {
  title: 'Layar antrean',
};

export default id;
export type Words = typeof id;
