from simlab.api import LoadedRun as LoadedRun
from simlab.api import compare as compare
from simlab.api import load as load
from simlab.api import robust as robust
from simlab.api import run as run
