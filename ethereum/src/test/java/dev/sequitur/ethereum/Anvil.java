package dev.sequitur.ethereum;

import dev.sequitur.fixture.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

/** The chain that most tests run on. Gas costs nothing on it. */
public final class Anvil extends DevChain {
  private static final String AN_ETHER = "0xde0b6b3a7640000";

  private final Path program;
  private final LocalChain.Options options;
  private LocalChain chain;

  private Anvil(Path program, LocalChain.Options options) throws IOException {
    this.program = program;
    this.options = options;
    this.chain = LocalChain.start(program, options);
  }

  /**
   * Forgets the states of older blocks, so that it can run for long. Skips the test with the reason
   * where there is no Node.js.
   */
  public static Anvil start() {
    return start(Optional.empty(), 0, List.of("--prune-history"));
  }

  /** Makes a block each second by itself. */
  public static Anvil startWithBlocks() {
    return start(Optional.of(1), 0, List.of());
  }

  /** Takes so much for each unit of gas at first. */
  public static Anvil startWithPrice(Optional<Integer> blockSeconds, long baseFee) {
    return start(blockSeconds, baseFee, List.of());
  }

  /**
   * As {@link #startWithBlocks()}; it has its chain again when it is started again, whether it was
   * ended or killed.
   *
   * @param state file in which it keeps it
   */
  public static Anvil startWithBlocks(Path state) {
    // It writes its chain each second, since one that is killed writes nothing.
    return start(
        new LocalChain.Options(
            CHAIN,
            FreePorts.inARow(1),
            Optional.of(1),
            BLOCK_GAS,
            0,
            Optional.of(state),
            List.of("--state-interval", "1")));
  }

  /** Can go back to older blocks. */
  static Anvil startWithHistory() {
    return start(Optional.empty(), 0, List.of());
  }

  static Anvil start(Optional<Integer> blockSeconds, long baseFee, List<String> more) {
    return start(
        new LocalChain.Options(CHAIN, 0, blockSeconds, BLOCK_GAS, baseFee, Optional.empty(), more));
  }

  private static Anvil start(LocalChain.Options options) {
    try {
      return new Anvil(installed(), options);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The program; what needs it is skipped where there is none. */
  static Path installed() throws IOException {
    try {
      var binary = Node.modules().resolve("@foundry-rs/anvil-linux-amd64/bin/anvil");
      Assumptions.assumeTrue(
          Files.isExecutable(binary), "There is no anvil for this kind of machine.");
      return binary;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /**
   * Ends it and starts it anew on what it has kept: its pool is lost, and whoever asks it meanwhile
   * reaches nobody.
   */
  public void restart() throws IOException {
    var process = chain.process();
    process.destroy();
    process.onExit().join();
    chain = LocalChain.start(program, options);
  }

  /**
   * Kills it and starts it anew on what it wrote last: its pool is lost, and so are the newest
   * blocks, two at most.
   *
   * <p>What anvil writes is not what a node keeps that people rely on. It may be half a file; and
   * it reads its blocks before its accounts, so that these may be a block ahead: what a transaction
   * changed is there, and the transaction is in no block. No chain can look so, and nobody could go
   * on from there. So it is killed just after it has written something that is in order, and goes
   * on from that.
   */
  public void kill() throws IOException {
    var file = options.state().orElseThrow();
    var written =
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .pollInterval(Duration.ofMillis(10))
            .until(() -> unlessWritten(file), AnvilState::isInOrder);
    var process = chain.process();
    process.destroyForcibly();
    process.onExit().join();
    Files.writeString(file, written);
    chain = LocalChain.start(program, options);
  }

  /**
   * What is in a file, or nothing if it was written meanwhile: what is read then may begin as the
   * old content and go on as the new one.
   */
  private static String unlessWritten(Path file) throws IOException {
    var read = Files.readString(file);
    return read.equals(Files.readString(file)) ? read : "";
  }

  /** Of its process, for signals. */
  public long pid() {
    return chain.process().pid();
  }

  /**
   * Replaces the newest blocks by empty ones: what was in them is in no block and in no pool.
   *
   * <p>On a busy machine anvil makes its next block while it replaces others, and has a hole in its
   * chain from then on. So it makes none meanwhile, and the one that is being made comes first.
   */
  public void forget(int blocks) {
    if (options.blockSeconds().isPresent()) {
      call("evm_setIntervalMining", 0);
      call("evm_mine");
    }
    call("anvil_reorg", blocks, List.of());
    options.blockSeconds().ifPresent(seconds -> call("evm_setIntervalMining", seconds));
  }

  /** Its pool is empty then. */
  public void dropPooled() {
    call("anvil_dropAllTransactions");
  }

  @Override
  public URI address() {
    return chain.rpc();
  }

  @Override
  public void fund(String account) {
    call("anvil_setBalance", account, AN_ETHER);
  }

  /** Gives an account so much, whatever it had. */
  public void setBalance(String account, long balance) {
    call("anvil_setBalance", account, "0x" + Long.toHexString(balance));
  }

  @Override
  void mine() {
    call("evm_setNextBlockTimestamp", nextTime());
    call("evm_mine");
  }

  @Override
  void replaceNewest() {
    var raw = new ArrayList<String>();
    for (var transaction : call("eth_getBlockByNumber", "latest", false).get("transactions")) {
      raw.add(call("eth_getRawTransactionByHash", transaction.textValue()).textValue());
    }
    forget(1);
    raw.forEach(each -> answer("eth_sendRawTransaction", each));
  }

  @Override
  public void close() {
    chain.close();
  }
}
