import { onceForEach } from '../../../src/engine/process/once';

it('what cannot be made for a key is not tried again', () => {
  const make = jest.fn((key: string) => {
    if (key === 'wide') throw new RangeError('Maximum call stack size exceeded');
    return key;
  });
  const made = onceForEach(make);
  for (let times = 0; times < 2; times++) {
    expect(() => made('wide')).toThrow(RangeError);
    expect(made('narrow')).toBe('narrow');
  }
  expect(make.mock.calls).toEqual([['wide'], ['narrow']]);
});
