// What the chain of a test is like; the test says how in the environment.
const seconds = Number(process.env.BLOCK_SECONDS ?? 0); // 0: a block is made only when somebody asks
module.exports = {
  solidity: "0.8.28",
  networks: {
    hardhat: {
      chainId: Number(process.env.CHAIN_ID),
      blockGasLimit: Number(process.env.BLOCK_GAS),
      initialBaseFeePerGas: 0,
      gasPrice: 0,
      mining: { auto: false, interval: 1000 * seconds },
    },
  },
};
