package dev.sequitur.persistence.store;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class OutcomeTableOverLevelDbTest extends OutcomeStoreContractTest {
  @TempDir private Path directory;
  private OwnLevelDb own;

  @BeforeEach
  void open() {
    own = new OwnLevelDb(directory.resolve("data"));
  }

  @AfterEach
  void close() {
    own.close();
  }

  @Override
  OutcomeStore store() {
    return QueueStores.in(own.db(), own.executor()).outcomes();
  }

  @Override
  OutcomeStore reopened() {
    own.reopen();
    return store();
  }
}
